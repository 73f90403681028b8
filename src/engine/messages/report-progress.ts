import { progressReported } from '../../domain/event/task-events.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { ProgressRequest } from '../../domain/message/message-request.ts'
import { type Result, success } from '../../domain/result.ts'
import type { MessageNeeds } from './message-needs.ts'
import { postMessage } from './post-message.ts'

/** What a session says about how far it is; watchers see it at once. */
export async function reportProgress(
  needs: MessageNeeds,
  sessionId: SessionId,
  request: Omit<ProgressRequest, 'type'>,
): Promise<Result<Message, MessageFailure>> {
  const { text, percent } = request
  const posted = await postMessage(needs, sessionId, request.key, async () =>
    success({
      kind: 'progress',
      recipient: 'engine',
      body: text,
      metadata: percent === undefined ? {} : { percent },
      isSettled: true,
      event: (place) => progressReported(place, text, percent),
    }),
  )
  return posted.ok ? success(posted.value.message) : posted
}
