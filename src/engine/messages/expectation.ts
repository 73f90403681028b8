import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { SendRequest } from '../../domain/message/message-request.ts'
import { readDeadline } from '../../domain/message/read-deadline.ts'
import { type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'

type Asked = Pick<SendRequest, 'priority' | 'requiresResponse' | 'deadline'>
type Expected = Partial<Pick<Message, 'priority' | 'requiresResponse' | 'deadline'>>

/** What a sender expects of its message. Whoever names a deadline expects a reply. */
export function readExpectation(
  { priority, requiresResponse, deadline }: Asked,
  now: Date,
): Result<Expected, MessageFailure> {
  if (deadline === undefined) return success(withoutUndefined({ priority, requiresResponse }))
  const read = readDeadline(deadline, now)
  if (!read.ok) return read
  return success({ ...withoutUndefined({ priority }), requiresResponse: true, deadline: read.value })
}
