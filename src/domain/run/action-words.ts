import type { GiveUpCause, TroubleAction } from './trouble-action.ts'

/** What was done about a trouble, as a person says it. The codes are for programs. */
const WORDS: Readonly<Record<TroubleAction, string>> = {
  'ask-again': 'asked the agent again',
  nudge: 'asked the agent to finish',
  restart: 'started the agent again',
  substitute: 'gave it to another agent',
  park: 'waits for quota',
  escalate: 'asks you',
  abort: 'ended the run',
  'give-up': 'gave up',
  wait: 'tries again by itself',
  'begin-anew': 'began a new conversation',
}

const CAUSES: Readonly<Record<GiveUpCause, string>> = {
  actions: '',
  visit: ' because the visit has no tries left',
  run: ' because the run has no tries left',
}

type Done = {
  readonly action: string
  readonly because?: GiveUpCause | undefined
  /** The agent that took over, if another one did. */
  readonly to?: string | undefined
}

/** An action that a newer daemon knows stays as it is. */
export function actionWords({ action, because, to }: Done): string {
  if (to !== undefined) return `gave it to ${to}`
  if (action === 'give-up' && because !== undefined) return `${WORDS[action]}${CAUSES[because]}`
  return Object.hasOwn(WORDS, action) ? WORDS[action as TroubleAction] : action
}
