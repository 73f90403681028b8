import { eachOf } from './each-of.ts'
import { findInputProblems } from './find-input-problems.ts'
import { findNameProblems } from './find-name-problems.ts'
import { findReferenceProblems } from './find-reference-problems.ts'
import type { Playbook } from './playbook.ts'
import type { PlaybookProblem } from './playbook-problem.ts'

/** What of a playbook's file can't be read. Nothing can be said about it, nor about what refers to it. */
export type Unread = {
  /** Their names are known. */
  readonly stages: ReadonlySet<string>
  readonly parts: ReadonlySet<string>
}

/**
 * Finds wrong names and references in those parts of a playbook that can be read, so that one report has as many
 * problems as possible. What only follows from a part that can't be read is left out.
 */
export function findReadableProblems(playbook: Playbook, unread: Unread): readonly PlaybookProblem[] {
  const all = [
    ...(unread.parts.has('inputs') ? [] : findInputProblems(playbook)),
    ...findNameProblems(playbook),
    ...findReferenceProblems(playbook, ({ of }) => unread.stages.has(of) || unread.parts.has(of)),
  ]
  return all.filter((problem) => !isFollowUp(playbook, unread, problem))
}

function isFollowUp(
  { stages }: Playbook,
  unread: Unread,
  { path: [first = '', name = '', field] }: PlaybookProblem,
): boolean {
  if (first !== 'stages') return unread.parts.has(String(first))
  if (field === 'role') return unread.parts.has('roles')
  const stage = stages[name]
  const each = field === 'each' && stage !== undefined ? eachOf(stage) : undefined
  return each !== undefined && unread.stages.has(each)
}
