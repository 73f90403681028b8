/** Files that people write in YAML: muster.yaml, config.yaml and playbook.yaml. */
export const FILE_LIMITS = {
  /** Fields and list entries of one file. A cloned repository can bring any file, and reading it holds up the daemon. */
  entries: 10_000,
  /** Flow brackets of one file. Deeply nested ones slow the parser down far more than long text. */
  brackets: 10_000,
  /** Uses of one anchor, which would otherwise multiply the data. */
  aliases: 100,
  /** Problems that are reported about one file. Nobody reads more before correcting those. */
  problems: 100,
} as const
