import type { MusterClient, WirePlaybook } from '../../client/index.ts'
import type { WireEvent } from '../../contract/event.ts'
import type { RunPanel } from '../render/live/run-panel-lines.ts'

export type RunWatched = {
  /** Whether there is a terminal to show it in. */
  readonly isShown: boolean
  readonly client: () => Pick<MusterClient, 'getRun' | 'getRunPlaybook' | 'listMessages'>
  /** Only this run; by default the one that last started. */
  readonly run?: string | undefined
  readonly show: (panel: RunPanel) => void
}

/** Keeps the panel of a run up to date. */
export interface RunWatch {
  /** Reads the run again if the event says that something about it has changed. */
  see(event: WireEvent): void
}

const SHOWN_MESSAGES = 3

/**
 * Events say that something about a run has changed; the run itself says what. While it is read, further events lead to
 * one more read at most.
 */
export function watchRun({ isShown, client, run: only, show }: RunWatched): RunWatch {
  const playbooks = new Map<string, WirePlaybook>()
  let runId = only
  let isReading = false
  let isStale = false

  async function read(id: string): Promise<void> {
    const [run, messages] = await Promise.all([
      client().getRun(id),
      client().listMessages({ run: id, limit: SHOWN_MESSAGES }),
    ])
    const playbook = playbooks.get(id) ?? (await readPlaybook(id))
    if (!run.ok || playbook === undefined) return
    show({ run: run.value, playbook, messages: messages.ok ? messages.value.items : [] })
  }

  async function readPlaybook(id: string): Promise<WirePlaybook | undefined> {
    const playbook = await client().getRunPlaybook(id)
    if (!playbook.ok) return undefined
    playbooks.set(id, playbook.value)
    return playbook.value
  }

  async function readUntilFresh(id: string): Promise<void> {
    isReading = true
    do {
      isStale = false
      await read(id)
    } while (isStale)
    isReading = false
  }

  return {
    see(event) {
      const changed = changedRun(event)
      if (changed === undefined || !isShown) return
      if (only === undefined && changed !== 'any') runId = changed
      if (runId === undefined || (only !== undefined && changed !== 'any' && changed !== only)) return
      isStale = true
      if (!isReading) void readUntilFresh(runId)
    },
  }
}

/** The run that an event is about; `any`: it may be about any run of the job. */
function changedRun(event: WireEvent): string | undefined {
  switch (event.type) {
    case 'run_started':
    case 'stage_entered':
    case 'stage_ended':
    case 'stage_recovered':
    case 'run_ended':
    case 'run_cancelled':
      return event.data.runId
    case 'message_sent':
    case 'approval_requested':
    case 'approval_decided':
      return 'any'
    default:
      return undefined
  }
}
