/** How much the work on a task changes, counted in full. */
export type ChangeCounts = {
  readonly files: number
  /** Lines, without those of binary files. */
  readonly added: number
  readonly removed: number
}

export type WorkChanges = ChangeCounts & {
  /** Why a person must see the work before it lands, one line each. Empty for ordinary work. */
  readonly unusual: readonly string[]
  /** What could not be collected from the agent's tree, one line each. Absent if everything was. */
  readonly omissions?: readonly string[]
}

export function countsOf({ files, added, removed }: WorkChanges): ChangeCounts {
  return { files, added, removed }
}

/** "1 file changed, +3 -0". */
export function describeChanges({ files, added, removed }: ChangeCounts): string {
  const count = `${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'} changed`
  return `${count}, +${added.toLocaleString('en')} -${removed.toLocaleString('en')}`
}
