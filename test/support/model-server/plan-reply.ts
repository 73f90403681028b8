import type { AskCount, AskCounts } from './ask-counts.ts'
import { type Conversation, type Place, placeIn } from './conversation.ts'
import { type Refusal, refusalOf } from './refusal.ts'
import type { Reply } from './reply.ts'
import { schemaInstance } from './schema-instance.ts'
import { type FoundScript, findScript, hasScript, type Step } from './step.ts'
import { callsOf, findShell } from './tool-calls.ts'

/** Steps for every prompt that contains a text. */
export type PostedScript = { readonly match: string; readonly steps: readonly Step[] }

export type PlannedReply = {
  readonly place: Place
  readonly delayMs: number
  readonly reply: Reply
  /** The refusal to send instead of a reply. */
  readonly refusal?: Refusal
}

type Needs = { readonly posted: readonly PostedScript[]; readonly counts: AskCounts }

const SIDE_ANSWER = 'scripted'

/** The model's next reply. Throws if the script does not fit the request. */
export function planReply(needs: Needs, conversation: Conversation): PlannedReply {
  const place = placeIn(conversation, (text) => hasScript(text) || findPosted(needs, text) !== undefined)
  const sideAnswer = sideAnswerTo(conversation)
  if (sideAnswer !== undefined)
    return { place, delayMs: 0, reply: { text: sideAnswer, calls: [], hang: false } }
  const { text, steps } = scriptAt(needs, place)
  const step = steps[place.step] ?? { text: `The script has no step ${place.step + 1}.` }
  const count = needs.counts.ask(`${place.step} ${text}`)
  const refusal = step.error === undefined ? undefined : refusalOf(step.error, count)
  return {
    place,
    delayMs: step.delayMs ?? 0,
    reply: {
      text: step.text ?? '',
      calls: callsOf(step, conversation.tools),
      hang: hangs(step, count),
    },
    ...(refusal === undefined ? {} : { refusal }),
  }
}

function scriptAt(needs: Needs, { prompt }: Place): FoundScript {
  const steps = findPosted(needs, prompt)?.steps ?? [{ text: 'There is no script for this.' }]
  return findScript(prompt) ?? { text: prompt, steps }
}

function findPosted({ posted }: Pick<Needs, 'posted'>, prompt: string): PostedScript | undefined {
  return posted.find(({ match }) => prompt.includes(match))
}

function hangs(step: Step, count: AskCount): boolean {
  return typeof step.hang === 'number' ? count.asked <= step.hang : step.hang === true
}

/** Programs also request titles, summaries and reviews, which are not turns of the conversation. */
function sideAnswerTo(conversation: Conversation): string | undefined {
  if (conversation.answerSchema !== undefined)
    return JSON.stringify(schemaInstance(conversation.answerSchema))
  return findShell(conversation.tools) === undefined ? SIDE_ANSWER : undefined
}
