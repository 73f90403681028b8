import type { MusterClient } from '../../client/index.ts'
import type { WireMessage } from '../../contract/message.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'

const PREFIX = 'msg_'
const PAGE = 200
const MOST_PAGES = 10
const SHOWN_CANDIDATES = 6

/** The one message whose id begins with `text`; the part before the underscore may be left out. */
export async function findMessage(
  client: Pick<MusterClient, 'listMessages'>,
  text: string,
): Promise<Result<WireMessage, Problem>> {
  const start = text.includes('_') ? text : `${PREFIX}${text}`
  if (!start.startsWith(PREFIX)) return failure(noMessage(text))
  const found: WireMessage[] = []
  let cursor: string | undefined
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const page = await client.listMessages({ limit: PAGE, cursor })
    if (!page.ok) return failure(apiProblem(page.failure))
    const whole = page.value.items.find(({ id }) => id === start)
    if (whole !== undefined) return success(whole)
    found.push(...page.value.items.filter(({ id }) => id.startsWith(start)))
    cursor = page.value.nextCursor
    if (cursor === undefined) break
  }
  const [only, ...others] = found
  if (only === undefined) return failure(noMessage(text))
  return others.length === 0 ? success(only) : failure(manyMessages(text, found))
}

function noMessage(text: string): Problem {
  return {
    type: 'id-unknown',
    exitCode: EXIT.usage,
    message: `there is no message whose id begins with "${safeLine(text, 40)}"`,
    next: 'muster messages --questions',
  }
}

function manyMessages(text: string, found: readonly WireMessage[]): Problem {
  const shown = found.slice(0, SHOWN_CANDIDATES).map(({ id }) => id)
  const more = found.length > shown.length ? [`and ${found.length - shown.length} more`] : []
  return {
    type: 'id-ambiguous',
    exitCode: EXIT.usage,
    message: `"${safeLine(text, 40)}" is the beginning of ${found.length} ids`,
    why: [...shown, ...more].join('\n'),
    next: 'give more of the id',
  }
}
