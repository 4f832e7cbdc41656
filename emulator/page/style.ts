import { markdownStyle, runStyle, theme } from './github-style.ts';

/** The look of the page: GitHub's colors, dense, and in one column where there is little room. */
export const style = `
${theme}
* { box-sizing: border-box; }
html { scroll-padding-top: 8px; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 13px/1.5 var(--sans); }
a { color: var(--link); }
h1, h2, h3, h4, p { margin: 0; }
h1 { font-size: 16px; font-weight: 600; }
h2 { margin: 0 0 8px; font-size: 14px; font-weight: 600; }
.card > header > h3 { font-size: 14px; font-weight: 600; overflow-wrap: anywhere; }
section > h4 { margin: 0 0 4px; font-size: 12px; font-weight: 600; color: var(--muted); }
code { font: 12px/1.5 var(--mono); overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 8px; top: -48px; padding: 4px 12px; background: var(--canvas); border: 1px solid var(--border); border-radius: 6px; }
.skip:focus { top: 8px; z-index: 1; }
.muted { color: var(--muted); }
.bad { color: var(--error); }
.right { margin-left: auto; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.count { padding: 0 6px; border-radius: 2em; background: var(--code); font-size: 12px; font-weight: 500; color: var(--text); }

.top { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; padding: 12px 16px; background: var(--inset); border-bottom: 1px solid var(--border); }
.top nav { margin-left: auto; display: flex; flex-wrap: wrap; gap: 4px 16px; }
.live::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: 6px; border-radius: 50%; background: var(--success); }
#head { display: flex; flex-wrap: wrap; gap: 4px 32px; align-items: center; padding: 8px 16px; border-bottom: 1px solid var(--border); }
#addresses { display: flex; flex-wrap: wrap; gap: 4px 32px; }
#addresses .right { margin: 0; }
#notice:empty { display: none; }
.notice { flex-basis: 100%; padding: 0 8px; border-left: 2px solid currentcolor; color: var(--success); overflow-wrap: anywhere; }
.notice.bad { color: var(--error); }
.unsent { display: block; margin-top: 4px; }

main { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 16px; padding: 16px; }
.world { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; align-content: start; }
.world > section > [data-slot] { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
.card { border: 1px solid var(--border); border-radius: 6px; min-width: 0; }
.card > header { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 8px 12px; background: var(--inset); border-bottom: 1px solid var(--border); border-radius: 6px 6px 0 0; }
.card .id { color: var(--muted); }
.card section, .card > .rows, .card > .muted { padding: 8px 12px; }
.card section + section { border-top: 1px solid var(--border); }
.card section:empty { display: none; }

.pill { display: inline-block; padding: 0 8px; border: 1px solid currentcolor; border-radius: 2em; font-size: 12px; font-weight: 500; line-height: 18px; color: var(--muted); overflow-wrap: anywhere; }
.pill.good { color: var(--success); }
.pill.bad { color: var(--error); }
.pill.busy { color: var(--warning); }
.tag { padding: 0 6px; border-radius: 2em; background: var(--code); font-size: 12px; }

form.button { display: inline; margin: 0; }
button, input, select { font: inherit; color: inherit; border: 1px solid var(--border); border-radius: 6px; background: var(--canvas); }
button { padding: 2px 10px; font-size: 12px; font-weight: 500; line-height: 20px; background: var(--inset); cursor: pointer; }
button:hover { border-color: var(--muted); }
input, select { padding: 2px 8px; font-size: 12px; line-height: 20px; height: 26px; max-width: 100%; }
.line { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; margin: 4px 0 0; }
.line label { display: flex; gap: 6px; align-items: center; font-size: 12px; color: var(--muted); }
.line input { width: 108px; color: var(--text); }
.line select { color: var(--text); }
#requests > .line input { width: 180px; }

details.row { margin: 0 0 2px; }
summary { cursor: pointer; border-radius: 4px; }
details.row > summary { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; }
details.row > summary::before { content: "▸"; width: 8px; color: var(--muted); }
details.row[open] > summary::before { content: "▾"; }
.log { margin: 4px 0 8px; padding: 8px 12px; max-height: 240px; overflow: auto; border-radius: 6px; background: var(--inset); font: 12px/18px var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
.log i { color: var(--muted); font-style: normal; }
.log .status { font-weight: 600; }
.log .error { color: var(--error); }
.log .warning { color: var(--warning); }

.rows { margin: 0; padding: 0; list-style: none; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
.facts, .pull > p { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; overflow-wrap: anywhere; }
.facts > b { min-width: 0; }
.rows p { overflow-wrap: anywhere; }
.reply { padding-left: 8px; border-left: 2px solid var(--border); }
.pull + .pull { margin-top: 16px; padding-top: 12px; border-top: 1px solid var(--border); }
.pull > * + * { margin-top: 4px; }
.box { margin: 8px 0 0; border: 1px solid var(--border); border-radius: 6px; }
.card .pull .box { padding: 0; }
.head { padding: 4px 12px; border-bottom: 1px solid var(--border); background: var(--inset); border-radius: 6px 6px 0 0; color: var(--muted); }
.head b { color: var(--text); }
.head i { padding: 0 6px; border: 1px solid var(--border); border-radius: 2em; font-size: 11px; font-style: normal; }
${markdownStyle}
${runStyle}
.body { padding: 12px; font-size: 13px; }

.mark { font-weight: 600; color: var(--muted); }
.mark.good { color: var(--success); }
.mark.bad { color: var(--error); }
.mark.busy { color: var(--warning); }
.card > .row { padding: 8px 12px; border-top: 1px solid var(--border); }
.one { display: block; max-width: 1012px; margin: 0 auto; }
.one .muted { overflow-wrap: anywhere; }
#run, #run-report { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
#run-report { gap: 8px; }
#run-report h3 { font-size: 13px; }
.one > section > h2, #run-head > h2 { font-size: 18px; overflow-wrap: anywhere; }
.one .box { margin: 0; }
.one > section > .body { padding: 0; }
.job .step { margin: 0; padding: 6px 12px; border-top: 1px solid var(--border); }
.job [data-slot] > .step:first-child { border-top: 0; }
.job div.step { display: flex; flex-wrap: wrap; gap: 2px 8px; padding-left: 28px; }
.job .title { min-width: 0; overflow-wrap: anywhere; }
.job summary > .title { flex: 1; }
.job .lines { margin: 8px 0 4px; }

.scroll { overflow: auto; max-height: 320px; margin: 4px 0; border: 1px solid var(--border); border-radius: 6px; }
.scroll table, .table table { width: 100%; border-collapse: collapse; font-size: 12px; }
.scroll :is(th, td), .table :is(th, td) { padding: 2px 8px; text-align: left; vertical-align: top; overflow-wrap: break-word; }
.scroll th, .table th { position: sticky; top: 0; background: var(--inset); font-weight: 500; color: var(--muted); }
:is(.scroll, .table) :is(th, td).number { text-align: right; white-space: nowrap; }
:is(.scroll, .table) tbody tr + tr td { border-top: 1px solid var(--border); }

#requests { position: sticky; top: 16px; align-self: start; display: flex; flex-direction: column; max-height: calc(100vh - 32px); min-width: 0; }
#requests > .line { margin: 0 0 8px; }
.table { overflow: auto; min-height: 120px; border: 1px solid var(--border); border-radius: 6px; }
.table tbody { font-variant-numeric: tabular-nums; }
.table tbody .path { font: 12px/18px var(--mono); }
.table table { table-layout: fixed; }
.table .time { width: 64px; }
.table .side { width: 54px; }
.table .method { width: 56px; }
.table .status { width: 46px; }
.table .took { width: 58px; }
.table .agent { width: 122px; }
.table table :is(th, td) { padding: 2px 4px; }
.table table :is(th, td):first-child { padding-left: 8px; }
.table :is(.time, .agent, .took) { color: var(--muted); }
.table .path { overflow-wrap: anywhere; }
.table tbody .status { font-weight: 600; white-space: nowrap; }
.table .status.good { color: var(--success); }
.table .status.busy { color: var(--warning); }
.table .agent { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }

@media (max-width: 1150px) {
  main { grid-template-columns: minmax(0, 1fr); }
  #requests { position: static; max-height: none; }
}

/* A phone: each request takes two lines instead of seven columns. */
@media (max-width: 600px) {
  main { padding: 12px 8px; }
  .top, #head { padding: 8px; }
  .top nav { margin-left: 0; }
  .card > header, .card section { padding: 8px; }
  .table { max-height: none; }
  .table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table tr { display: flex; flex-wrap: wrap; gap: 0 8px; padding: 4px 8px; }
  .table tr + tr { border-top: 1px solid var(--border); }
  .table table tbody tr td:nth-child(n) { border: 0; padding: 0; }
  .table tbody :is(.time, .side, .method, .status, .took, .agent) { width: auto; }
  .table .path { order: 1; flex-basis: 100%; }
  .table .agent { margin-left: auto; }
}
`;
