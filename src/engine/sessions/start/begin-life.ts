import { programStarted } from '../../../domain/event/session-events.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import { NO_TALK, type Talk } from '../../../domain/session/talk.ts'
import type { Opening } from '../../../ports/dialogue.ts'
import type { HostStarted } from '../../../ports/session-host.ts'
import type { Work } from '../../../ports/work-queue.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { Conversation } from '../listen/conversation.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { Workplace } from '../purposes/workplace.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'providers' | 'adoptSession'>

export type Begun = {
  /** As it was read, with the life that was started. */
  readonly session: Session
  readonly started: HostStarted
  readonly workplace: Pick<Workplace, 'timeMs' | 'projectId'>
  readonly opening: Opening | undefined
}

/** Records that a session's program runs, with the first words to it, and takes its spools over. */
export async function beginLife(needs: Needs, begun: Begun): Promise<void> {
  const { session, started, workplace } = begun
  const { pid, startTime, containment } = started
  const state = nextSessionState(session.state, { type: 'host-start', pid, startTime })
  if (!state.ok) return
  const now = needs.clock.now()
  await needs.store.transact(async (records) => {
    if (session.life === 1) await planOf(session).whenStarted(records)
    await records.sessions.saveLife(
      {
        ...session,
        state: state.value,
        containment,
        outOffset: 0,
        errOffset: 0,
        talk: talkOf(needs, begun),
        startedAt: now,
        ...(workplace.timeMs === undefined ? {} : { deadline: new Date(now.getTime() + workplace.timeMs) }),
      },
      {
        audit: {
          actor: 'engine',
          action: session.life > 1 ? 'session-resume' : 'session-start',
          subject: session.id,
          detail: { pid, containment, life: session.life },
        },
        events: [programStarted(session, started)],
        follow: workAfter(session, workplace),
      },
    )
  })
  needs.adoptSession(session.id)
}

function workAfter({ life, jobId }: Session, { projectId }: Begun['workplace']): readonly Work[] {
  // An agent that was resumed has quota again, perhaps for what waited with it.
  if (life > 1) return [{ type: 'admission-wake' }]
  return jobId === undefined ? [] : [{ type: 'trees-warm', projectId }]
}

function talkOf(needs: Needs, { session, opening }: Begun): Talk {
  const dialogue = needs.providers.get(session.provider)?.dialogue
  if (dialogue === undefined || opening === undefined) return { ...NO_TALK, usage: session.talk.usage }
  return Conversation.open(dialogue, opening, session.talk)
}
