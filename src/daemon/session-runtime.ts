import type { Session } from '../domain/session/session.ts'
import type { EngineNeeds } from '../engine/engine-needs.ts'
import { answerAsEngine } from '../engine/messages/answer-as-engine.ts'
import { collectOutbox } from '../engine/messages/collect-outbox.ts'
import { createMessageCommands, type MessageCommands } from '../engine/messages/message-commands.ts'
import type { MessageNeeds } from '../engine/messages/message-needs.ts'
import { OutboxWatches } from '../engine/messages/outbox-watches.ts'
import { createRuntimeCallbacks } from '../engine/messages/runtime-callbacks.ts'
import { createWaitingReaders } from '../engine/messages/waiting-readers.ts'
import { hostOf } from '../engine/sessions/host-of.ts'
import { SessionTails } from '../engine/sessions/listen/session-tails.ts'
import { TerminalWatches } from '../engine/sessions/listen/terminal-watches.ts'
import { outboxIn } from '../engine/sessions/session-environment.ts'
import type { Outbox } from '../ports/outbox.ts'

type Needs = Omit<EngineNeeds, 'outboxes' | 'adoptSession' | 'answerMessage'> &
  Pick<MessageNeeds, 'feed'> & { readonly outbox: Outbox }

/** What keeps sessions running, and the engine that uses it. */
export type SessionRuntime = {
  readonly engine: EngineNeeds
  readonly tails: SessionTails
  readonly watches: TerminalWatches
  readonly messages: MessageCommands
  readonly outboxes: OutboxWatches
}

/** Connects spools, terminals and messages of sessions, which call one another. */
export function createSessionRuntime({ outbox, feed, ...base }: Needs): SessionRuntime {
  const { store, host, clock, ids, log, wakeAt } = base
  const outboxOf = (session: Session) => outboxIn(host.directoryOf(hostOf(session)))
  const outboxes = new OutboxWatches({
    outbox,
    log,
    outboxOf,
    collect: (session) =>
      collectOutbox({ ...messageNeeds, outbox, outboxOf: () => outboxOf(session) }, session.id),
  })
  const watches = new TerminalWatches({ ...base, outboxes })
  const adoptTerminal = (session: Session) => watches.adopt(session)
  const tails = new SessionTails({ ...base, outboxes, adoptTerminal })
  const engine: EngineNeeds = {
    ...base,
    outboxes,
    adoptSession(sessionId) {
      // An earlier daemon may have started its program: deriving the token teaches it to this daemon.
      base.settings.tokenOf(sessionId)
      tails.adopt(sessionId)
    },
    answerMessage: (question, text) => answerAsEngine(messageNeeds, question, text),
  }
  const callbacks = createRuntimeCallbacks(engine)
  const messageNeeds: MessageNeeds = {
    store,
    redact: base.settings.redaction.redact,
    clock,
    ids,
    log,
    wakeAt,
    feed,
    waitingReaders: createWaitingReaders(),
    awaitedAnswers: new Set(),
    ...callbacks,
  }
  const messages = createMessageCommands({ ...messageNeeds, history: engine.history })
  return { engine, tails, watches, messages, outboxes }
}
