import type { Playbook } from '../../domain/playbook/playbook.ts'

/** A playbook as it was when a job pinned it: its definition, and the text of every file it is made of. */
export type PinnedPlaybook = {
  readonly hash: string
  readonly name: string
  readonly playbook: Playbook
  readonly files: Readonly<Record<string, string>>
}

/** Contract: what a hash names never changes, so pinning the same playbook again changes nothing. */
export interface PinnedPlaybookRecords {
  pin(pinned: PinnedPlaybook): Promise<void>
  find(hash: string): Promise<PinnedPlaybook | undefined>
}
