/** A flag that is no input: what its value is, if it takes one, and what it does. */
export interface Setting {
  takes?: string;
  help: string;
}

/** Such flags by their names. */
export type SettingTable = Readonly<Record<string, Setting>>;

export const helpSetting = { help: 'shows this text' } as const satisfies Setting;
