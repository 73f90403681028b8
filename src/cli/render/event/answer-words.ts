import { describeIssues } from '../../../domain/review/describe-issues.ts'
import { readVerdict } from '../../../domain/review/read-verdict.ts'
import { counted } from '../text/counted.ts'

const FENCE = '```'
const FENCE_START = /^```(?:json)?[ \t]*\n/

/** Which answers are put into words: those of a discovery, or those about a task. */
export type AnswerKind = 'discovery' | 'task'

/**
 * What an agent said. The JSON at its end, which answers the engine, is put into words for people. A text without such
 * an answer, or with one that can't be used, stays as it is.
 */
export function withAnswerInWords(text: string, kind: AnswerKind): string {
  const trimmed = text.trim()
  const { before, json } = splitAnswer(trimmed)
  const answer = json === '' ? undefined : parseAnswer(json)
  if (answer === undefined) return text
  const words = kind === 'discovery' ? planWords(answer) : (reviewWords(answer) ?? resultWords(answer))
  if (words === undefined) return text
  return before === '' ? words : `${before}\n${words}`
}

type Parts = { readonly before: string; readonly json: string }

/** The JSON at the end of a text: in a block, or from the last line that starts with a brace. */
function splitAnswer(text: string): Parts {
  const { before, json } = text.endsWith(FENCE) ? splitBlock(text) : splitLines(text)
  return json.startsWith('{') && json.endsWith('}') ? { before, json } : { before: text, json: '' }
}

function splitBlock(text: string): Parts {
  const body = text.slice(0, -FENCE.length).trimEnd()
  const start = Math.max(0, body.lastIndexOf(FENCE))
  const json = body.slice(start).replace(FENCE_START, '').trim()
  return { before: body.slice(0, start).trimEnd(), json }
}

function splitLines(text: string): Parts {
  const start = text.lastIndexOf('\n{') + 1
  return { before: text.slice(0, start).trimEnd(), json: text.slice(start) }
}

type Answer = Readonly<Partial<Record<'type' | 'tasks' | 'done' | 'reasoning' | 'summary', unknown>>>

function parseAnswer(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer
  } catch (error) {
    // Text that is not JSON is something the agent said.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The answer to a discovery: its reasoning, or the number of tasks. */
function planWords({ tasks, done, reasoning }: Answer): string | undefined {
  if (!Array.isArray(tasks) && done !== true) return undefined
  if (typeof reasoning === 'string' && reasoning.trim() !== '') return reasoning
  return done === true
    ? 'nothing is left to do'
    : `planned ${counted(Array.isArray(tasks) ? tasks.length : 0, 'task')}`
}

/**
 * What a reviewer says about the work, without the verdict: any agent can print one, and only the stage's own event
 * reports what was decided.
 */
function reviewWords(answer: Answer): string | undefined {
  const verdict = readVerdict(answer, Number.POSITIVE_INFINITY)
  if (!verdict.ok) return undefined
  const { summary, issues } = verdict.value
  return describeIssues({ summary, issues }) || undefined
}

/** A worker's answer: what it did. */
function resultWords({ type, summary }: Answer): string | undefined {
  return type === 'result' && typeof summary === 'string' && summary.trim() !== '' ? summary : undefined
}
