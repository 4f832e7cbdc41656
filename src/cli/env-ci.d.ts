declare module 'env-ci' {
  /** What a CI says of the run, as far as it is read here. */
  interface EnvCi {
    isCi: boolean;
    /** As people write it; absent outside the known CIs. */
    name?: string;
    service?: string;
    commit?: string;
    tag?: string;
    build?: string;
    buildUrl?: string;
    /** Of a pull request the branch that it goes to. */
    branch?: string;
    pr?: string | number;
    isPr?: boolean;
    prBranch?: string;
  }

  export default function envCi(options: {
    env: Readonly<Record<string, string | undefined>>;
    cwd: string;
  }): EnvCi;
}
