import type { RecoverAction } from '../playbook/playbook.ts'

/**
 * `give-up`: nothing was left to do, or the tries were used up. `wait`: the session tries again by itself. `begin-anew`: a
 * conversation couldn't be continued, so a new one begins; that costs no try.
 */
export type TroubleAction = RecoverAction | 'give-up' | 'wait' | 'begin-anew'

/** `actions`: all were tried. `visit`, `run`: the tries that a visit or a run may have are used up. */
export const GIVE_UP_CAUSES = ['actions', 'visit', 'run'] as const
export type GiveUpCause = (typeof GIVE_UP_CAUSES)[number]
