import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import type { Playbook, PlaybookInput } from '../../domain/playbook/playbook.ts'
import type { Fence } from './fenced-text.ts'
import { shortenedText } from './shortened.ts'

const LIMITS = PROMPT_LIMITS.planner

/** A playbook that a planner may name for a task. */
export type PlaybookOffer = Pick<Playbook, 'description' | 'inputs'> & {
  readonly name: string
  readonly isShipped: boolean
}

/** When to name one of the shipped playbooks. Others have only their description. */
const OCCASIONS: Readonly<Record<string, string>> = {
  solo: 'one agent is enough',
  reviewed: 'a mistake would be expensive, or the checks would not find it',
  development: 'the task is large, and its design has to be agreed on first',
  tdd: 'the behaviour can be stated in tests before there is any code',
  'best-of': 'the task is hard, and single tries are likely to fail',
  research: 'a question has to be answered first; the result is a document, and nothing is merged',
  architecture: 'a design has to be chosen first; the result is a document, and nothing is merged',
  review: 'existing code has to be judged; the result is a list of findings, and nothing is merged',
}

export type PlaybooksInput = {
  readonly playbooks: readonly PlaybookOffer[]
  /** What works on a task that names none, if it isn't one agent. */
  readonly taskPlaybook?: string
}

/** Tells a planner which playbooks its tasks may name. */
export function playbooksSection(
  { playbooks, taskPlaybook }: PlaybooksInput,
  fence: Fence,
): readonly string[] {
  if (playbooks.length === 0) return []
  const lines = playbooks.slice(0, LIMITS.playbooks).map(offerLine)
  const usual = taskPlaybook === undefined ? 'one agent does it' : `it follows the playbook "${taskPlaybook}"`
  return [
    '## Playbooks',
    `If a task names no playbook, ${usual}, which is right for most tasks. A task can name a playbook instead, in which`,
    'several agents work on it in turn. That costs several times as much, so name one only if the task needs it or the',
    'person asks for it.',
    fence('playbooks', lines.join('\n')),
    'To name one, add "playbook":"its name" to the task, and "inputs":{"name":"value"} if its inputs should differ from',
    'their defaults.',
    '',
  ]
}

function offerLine({ name, description, inputs, isShipped }: PlaybookOffer): string {
  const occasion = isShipped ? OCCASIONS[name] : undefined
  const named = Object.entries(inputs).filter(([input]) => input !== 'goal')
  return [
    `- ${name}: ${shortenedText(description, LIMITS.suggestion)}`,
    ...(occasion === undefined ? [] : [`  For when ${occasion}.`]),
    ...(named.length === 0 ? [] : [`  Inputs: ${named.map(inputWords).join('; ')}`]),
  ].join('\n')
}

function inputWords([name, input]: readonly [string, PlaybookInput]): string {
  const kind = input.type === 'choice' ? input.of.join(' or ') : input.type
  const usual = input.default === undefined ? '' : `, by default ${input.default}`
  return `${name} (${kind}${usual})`
}
