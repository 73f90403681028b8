import { programStarted } from '../../../domain/event/session-events.ts'
import { type ConversationState, NO_CONVERSATION } from '../../../domain/session/conversation-state.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { Opening } from '../../../ports/dialogue.ts'
import type { HostStarted } from '../../../ports/session-host.ts'
import type { Work } from '../../../ports/work-queue.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { Conversation } from '../conversation.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { Workplace } from '../purposes/workplace.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'providers' | 'adoptSession'>

export type StartedProgram = {
  /** The session as it was read, with the number of the started process. */
  readonly session: Session
  readonly started: HostStarted
  readonly workplace: Pick<Workplace, 'timeMs' | 'projectId'>
  readonly opening: Opening | undefined
}

/** Records that a session's program runs, with its opening input, and starts reading its spools. */
export async function recordStart(needs: Needs, program: StartedProgram): Promise<void> {
  const { session, started, workplace } = program
  const { pid, startTime, containment } = started
  const state = nextSessionState(session.state, { type: 'host-start', pid, startTime })
  if (!state.ok) return
  const now = needs.clock.now()
  await needs.store.transact(async (records) => {
    if (session.processNumber === 1) await planOf(session).whenStarted(records)
    await records.sessions.saveProcess(
      {
        ...session,
        state: state.value,
        containment,
        outOffset: 0,
        errOffset: 0,
        conversation: openConversation(needs, program),
        startedAt: now,
        ...(workplace.timeMs === undefined ? {} : { deadline: new Date(now.getTime() + workplace.timeMs) }),
      },
      {
        audit: {
          actor: 'engine',
          action: session.processNumber > 1 ? 'session-resume' : 'session-start',
          subject: session.id,
          detail: { pid, containment, processNumber: session.processNumber },
        },
        events: [programStarted(session, started)],
        follow: workAfter(session, workplace),
      },
    )
  })
  needs.adoptSession(session.id)
}

function workAfter(
  { processNumber, jobId }: Session,
  { projectId }: StartedProgram['workplace'],
): readonly Work[] {
  // A resumed agent has quota again, perhaps also for others that wait for it.
  if (processNumber > 1) return [{ type: 'admission-wake' }]
  return jobId === undefined ? [] : [{ type: 'trees-warm', projectId }]
}

function openConversation(needs: Needs, { session, opening }: StartedProgram): ConversationState {
  const dialogue = needs.providers.get(session.provider)?.dialogue
  if (dialogue === undefined || opening === undefined)
    return { ...NO_CONVERSATION, usage: session.conversation.usage }
  return Conversation.open(dialogue, opening, session.conversation)
}
