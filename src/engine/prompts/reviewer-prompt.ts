import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import type { FileChange } from '../../domain/repository/file-change.ts'
import { type Fence, fenceNotice, fenceWith, optionalSection, problemSection } from './fenced-text.ts'
import { shortenedList, shortenedText } from './shortened.ts'

const LIMITS = PROMPT_LIMITS.reviewer

export type ReviewerPromptInput = {
  readonly description: string
  readonly context: string
  readonly successCriteria: readonly string[]
  /** The clauses of the goal that the task serves. */
  readonly clauses: readonly string[]
  /** What the worker says it did. */
  readonly claim: string
  readonly files: readonly FileChange[]
  readonly patch: string
  readonly isCut: boolean
  /** What reviewers asked for in earlier rounds, oldest first. */
  readonly earlierRounds: readonly string[]
  /** Why the previous answer could not be used. */
  readonly previousProblem?: string
  /** Random, and new for this prompt. */
  readonly boundary: string
}

/** Asks for a verdict on one exact commit of the work on a task. */
export function reviewerPrompt(input: ReviewerPromptInput): string {
  const fence = fenceWith(input.boundary)
  const sections = [
    'You review work on a repository. Another agent says that it has done the task below. Your working directory',
    'contains the result. Read it, and run whatever helps you judge it; you may not be able to write there. Do not',
    'change anything: your directory is thrown away, and nothing in it ever lands.',
    '',
    fenceNotice(input.boundary),
    '',
    '## The task',
    fence('task', shortenedText(input.description, LIMITS.task)),
    '',
    ...optionalSection(
      '## The context its agent was given',
      'context',
      shortenedText(input.context, LIMITS.task),
      fence,
    ),
    ...optionalSection('## Success criteria', 'success criteria', numbered(input.successCriteria), fence),
    ...optionalSection('## The parts of the goal it serves', 'goal', clausesOf(input), fence),
    '## What its agent says it did',
    fence('claim', shortenedText(input.claim, LIMITS.summary)),
    '',
    '## Changed files',
    fence('files', filesOf(input)),
    '',
    patchHeading(input),
    fence('diff', shortenedText(input.patch, LIMITS.patch)),
    '',
    ...roundsSection(input, fence),
    ...problemSection(input.previousProblem, fence),
    ANSWER_RULES,
  ]
  return `${sections.join('\n')}\n`
}

function numbered(lines: readonly string[]): string {
  return shortenedText(lines.map((line, index) => `${index + 1}. ${line}`).join('\n'), LIMITS.task)
}

function clausesOf({ clauses }: ReviewerPromptInput): string {
  return shortenedText(clauses.map((clause) => `- ${clause}`).join('\n'), LIMITS.clauses)
}

function filesOf({ files }: ReviewerPromptInput): string {
  const lines = files.map(({ path, added, removed, isBinary }) =>
    isBinary ? `${path} (binary)` : `${path} (+${added} -${removed})`,
  )
  return shortenedText(shortenedList(lines, LIMITS.files), LIMITS.fileText)
}

function patchHeading({ isCut, patch }: ReviewerPromptInput): string {
  if (!isCut && patch.length <= LIMITS.patch) return '## The complete diff'
  return '## The diff, shortened because it is long; the rest is in your working directory'
}

function roundsSection({ earlierRounds }: ReviewerPromptInput, fence: Fence): readonly string[] {
  if (earlierRounds.length === 0) return []
  const rounds = earlierRounds.map(
    (issues, index) => `Round ${index + 1}:\n${shortenedText(issues, LIMITS.round)}`,
  )
  return [
    '## What was asked for in earlier rounds',
    'Judge whether these requests were met. Ask for something new only if the task is not done without it.',
    fence('earlier rounds', rounds.join('\n\n')),
    '',
  ]
}

const ANSWER_RULES = `## What to answer
Judge the work against its task and each of its success criteria, by what you see in the repository and not by what its
agent says. End your answer with this JSON, on one line:
{"type":"result","verdict":"APPROVED","summary":"in a sentence or two","issues":[{"severity":"major","location":"src/file.ts:12","issue":"what is wrong","suggestion":"what to do instead"}],"criteria":[{"criterion":1,"met":true,"evidence":"where it can be seen"}]}
- "verdict" is APPROVED, NEEDS_REVISION or REJECTED; nothing you write elsewhere counts.
- APPROVED: the task is done and every criterion is met. The work lands as it is; "issues" may contain small remarks.
- NEEDS_REVISION: the same agent can fix the work. "issues" lists what must change, the most important first.
- REJECTED: the work, or the task itself, is fundamentally wrong. A person will look at it.
- "criteria" contains every success criterion by its number, with "met" true or false and the evidence.
- If you are a command-line program, exit with code 0.`
