export const id = 636;
export const ids = [636];
export const modules = {

/***/ 7636:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runCacheProcess: () => (/* binding */ runCacheProcess)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1421);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7975);
/* harmony import */ var _actions_core__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3838);
/* harmony import */ var _cache_task_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6068);




/** The tar that the cache's client calls; on macOS it prefers GNU's, which has another name there. */
const tar = process.platform === 'darwin' ? 'gtar' : 'tar';
/**
 * Sees that archives can be confined: only GNU tar gives every member the one name that `TAR_OPTIONS` says, and any
 * other would write wherever an archive wants it.
 */
async function requireGnuTar() {
    const asked = (0,node_util__WEBPACK_IMPORTED_MODULE_1__.promisify)(node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFile)(tar, ['--version']).catch(() => ({ stdout: '' }));
    if ((await asked).stdout.includes('GNU tar'))
        return;
    throw new Error(`this system has no GNU tar, and no other ${tar} can be kept from writing elsewhere: keep the ledger in a file (env-ledger)`);
}
async function carryOut(task, key) {
    const { isFeatureAvailable, restoreCache, saveCache } = await __webpack_require__.e(/* import() */ 728).then(__webpack_require__.bind(__webpack_require__, 9728));
    if (!isFeatureAvailable())
        throw new Error('this runner offers no cache that can be used');
    await requireGnuTar();
    const paths = [_cache_task_js__WEBPACK_IMPORTED_MODULE_3__/* .ledgerName */ .bo];
    if (task === 'save')
        return (await saveCache(paths, key, undefined, true)) !== -1;
    return (await restoreCache(paths, key, [key], undefined, true)) !== undefined;
}
/**
 * Ends this process and all that it has started once whoever holds its standard input is gone, even by a kill. That
 * input does not keep it alive: a client that waits for nothing that can come is known by the end of its process.
 */
function endWithStep() {
    const { stdin } = process;
    stdin.once('close', () => process.kill(0, 'SIGKILL')).resume();
    stdin.unref();
}
/**
 * Loads or saves the ledger in the current folder: what the process does that `cacheStore` starts. The client of
 * the cache is large, so it is loaded only here. It reports to standard output, and the exit status is set: 0 only
 * if the ledger was loaded or saved. The caller ends the process, for the client may keep a connection open.
 *
 * @param given the task, and the key to save under or the key's beginning to look for
 */
async function runCacheProcess([task = '', key = '']) {
    try {
        if (!(0,_cache_task_js__WEBPACK_IMPORTED_MODULE_3__/* .isTask */ .Id)(task))
            throw new Error(`unknown task ${task}`);
        endWithStep();
        process.exitCode = (await carryOut(task, key)) ? 0 : _cache_task_js__WEBPACK_IMPORTED_MODULE_3__/* .nothingDone */ .mh;
    }
    catch (error) {
        (0,_actions_core__WEBPACK_IMPORTED_MODULE_2__/* .setFailed */ .C1)(error instanceof Error ? error.message : String(error));
    }
}


/***/ })

};
