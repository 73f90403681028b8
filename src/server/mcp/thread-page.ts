import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { MessageType } from '../../domain/message/message-type.ts'
import { type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { AgentCommands } from '../../engine/messages/message-commands.ts'
import { firstPage, type Page, type PageInput } from '../../engine/queries/page.ts'

type Request = PageInput & {
  readonly type?: MessageType | undefined
  readonly role?: string | undefined
  readonly since?: string | undefined
}

/** A page of the conversation of a session's run. */
export async function threadPage(
  agents: AgentCommands,
  sessionId: SessionId,
  { limit, since, ...request }: Request,
): Promise<Result<Page<Message>, MessageFailure>> {
  const start = since === undefined ? undefined : new Date(since)
  const asked = withoutUndefined({ ...request, limit: limit + 1, since: start })
  const read = await agents.thread(sessionId, asked)
  return read.ok ? success(firstPage(read.value, limit)) : read
}
