import { counted } from '../text/counted.ts'

const FENCE = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/

/** What a planner's answer says to people, when the text is one: its reasoning, or how many tasks it lists. */
export function planWords(text: string): string | undefined {
  const trimmed = text.trim()
  const plain = FENCE.exec(trimmed)?.[1]?.trim() ?? trimmed
  if (!plain.startsWith('{') || !plain.endsWith('}')) return undefined
  const answer = parsed(plain)
  if (answer === undefined) return undefined
  const { tasks, done, reasoning } = answer
  if (!Array.isArray(tasks) && done !== true) return undefined
  if (typeof reasoning === 'string' && reasoning.trim() !== '') return reasoning
  return done === true
    ? 'nothing is left to do'
    : `planned ${counted(Array.isArray(tasks) ? tasks.length : 0, 'task')}`
}

type Answer = { readonly tasks?: unknown; readonly done?: unknown; readonly reasoning?: unknown }

function parsed(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer
  } catch (error) {
    // What is no JSON is something an agent said.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
