/** What a change does to one file. */
export type FileChange = {
  readonly path: string
  readonly added: number
  readonly removed: number
  readonly isBinary: boolean
  /** Absent if only the content changed. `retyped`: a file became a link, for example. */
  readonly status?: 'added' | 'deleted' | 'renamed' | 'retyped'
  /** The old path of a renamed file. */
  readonly from?: string
  /** Changed permissions, as in 644 and 755. */
  readonly mode?: { readonly from: string; readonly to: string }
  /** It is a symbolic link, or was one before it was deleted. */
  readonly isLink?: true
}
