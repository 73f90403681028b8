import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { ProgressRequest } from '../../domain/message/message-request.ts'
import { type Result, success } from '../../domain/result.ts'
import type { MessageNeeds } from './message-needs.ts'
import { postMessage } from './post-message.ts'

const SHOWN = 2000

/** What a session says about how far it is; watchers see it at once. */
export async function reportProgress(
  needs: MessageNeeds,
  sessionId: SessionId,
  request: Omit<ProgressRequest, 'type'>,
): Promise<Result<Message, MessageFailure>> {
  const percent = request.percent === undefined ? {} : { percent: request.percent }
  const posted = await postMessage(needs, sessionId, request.key, async () =>
    success({
      kind: 'progress',
      recipient: 'engine',
      body: request.text,
      metadata: percent,
      isSettled: true,
      event: {
        type: 'task_progress',
        data: { source: 'agent', message: request.text.slice(0, SHOWN), ...percent },
      },
    }),
  )
  return posted.ok ? success(posted.value.message) : posted
}
