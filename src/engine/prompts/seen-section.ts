import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import type { Scalar } from '../../domain/playbook/stage.ts'
import type { FileChange } from '../../domain/repository/file-change.ts'
import { answerText } from './answer-text.ts'
import type { Fence } from './fenced-text.ts'
import { shortenedList, shortenedStart, shortenedText } from './shortened.ts'

const LIMITS = PROMPT_LIMITS.visit

/** Something that a visit sees of its run. */
export type Seen =
  | SeenAnswer
  /** What the project's checks printed about the work. */
  | { readonly type: 'checks'; readonly stage: string; readonly hasPassed: boolean; readonly output: string }
  | { readonly type: 'diff'; readonly diff: SeenDiff }
  | { readonly type: 'input'; readonly name: string; readonly value: Scalar }
  /** What a person said at a gate. */
  | { readonly type: 'comment'; readonly stage: string; readonly text: string }

/** What an earlier visit answered: an agent's answer, or the summary of another run. */
export type SeenAnswer = {
  readonly type: 'answer'
  readonly stage: string
  /** If only this field of the answer is shown; then `answer` is its value. */
  readonly field?: string
  readonly answer: unknown
  /** Which of several answers of one stage it is. If a judge chose among them, its numbers count. */
  readonly place?: { readonly number: number; readonly of: number; readonly isChosen?: boolean }
}

export type SeenDiff = {
  readonly files: readonly FileChange[]
  readonly patch: string
  readonly isCut: boolean
}

/** What a judge compares: work, or answers such as designs. */
export type Candidate =
  | { readonly type: 'change'; readonly diff: SeenDiff }
  | { readonly type: 'answer'; readonly answer: unknown }

export function seenSections(sees: readonly Seen[], fence: Fence): readonly string[] {
  const share = Math.floor(LIMITS.seen / Math.max(1, sees.length))
  return sees.flatMap((seen) => {
    const lines = seenSection(seen, share, fence)
    return lines.length === 0 ? [] : [...lines, '']
  })
}

function seenSection(seen: Seen, share: number, fence: Fence): readonly string[] {
  switch (seen.type) {
    case 'answer':
      return answerSection(seen, share, fence)
    case 'checks':
      return [
        `## The project's checks ${seen.hasPassed ? 'passed' : 'failed'} (stage "${seen.stage}")`,
        fence('checks', shortenedStart(seen.output, Math.min(share, LIMITS.checkOutput))),
      ]
    case 'diff':
      return ['## The work so far, as a diff', ...diffLines(seen.diff, share, fence)]
    case 'input':
      return [`## The input "${seen.name}"`, fence('input', shortenedText(String(seen.value), share))]
    case 'comment':
      return [
        `## What the person who decided at "${seen.stage}" said`,
        'Do what they ask for. It counts more than what other stages ask for.',
        fence('comment', shortenedText(seen.text, share)),
      ]
  }
}

/** An empty field, such as a list without issues, says nothing. */
function answerSection(seen: SeenAnswer, share: number, fence: Fence): readonly string[] {
  const body = answerBody(seen.answer, share)
  return body === '' && seen.field !== undefined ? [] : [answerHeading(seen), fence('answer', body)]
}

function answerHeading({ stage, field, place }: SeenAnswer): string {
  const what = field === undefined ? `What the stage "${stage}" gave` : `"${field}" from the stage "${stage}"`
  if (place === undefined) return `## ${what}`
  const chosen = place.isChosen === true ? ', the one that was chosen' : ''
  return `## ${what}: ${place.number} of ${place.of}${chosen}`
}

/** The candidates by number. Nothing tells who made which. */
export function candidateSections(candidates: readonly Candidate[], fence: Fence): readonly string[] {
  const share = Math.floor(LIMITS.candidates / Math.max(1, candidates.length))
  return candidates.flatMap((candidate, index) => [
    `## Candidate ${index + 1} of ${candidates.length}`,
    ...(candidate.type === 'change'
      ? diffLines(candidate.diff, share, fence)
      : [fence('candidate', answerBody(candidate.answer, share))]),
    '',
  ])
}

function answerBody(answer: unknown, share: number): string {
  return shortenedText(answerText(answer), Math.min(share, LIMITS.answer))
}

function diffLines({ files, patch, isCut }: SeenDiff, share: number, fence: Fence): readonly string[] {
  const lines = files.map(({ path, added, removed, isBinary }) =>
    isBinary ? `${path} (binary)` : `${path} (+${added} -${removed})`,
  )
  const fileText = Math.min(LIMITS.fileText, Math.floor(share / 4))
  const patchText = Math.min(LIMITS.patch, share - fileText)
  return [
    fence('files', shortenedText(shortenedList(lines, LIMITS.files), fileText)),
    ...(isCut || patch.length > patchText ? ['The diff is shortened, because it is long.'] : []),
    fence('diff', shortenedText(patch, patchText)),
  ]
}
