import type { WirePullRequest } from '../../client/index.ts'
import type { Remote } from './find-remote.ts'
import type { Forge } from './forge.ts'

/** What is pushed where, and where it is proposed. */
export type PrPlan = {
  readonly proposal: WirePullRequest
  readonly remote: Remote
  readonly shownUrl: string
  readonly forge: Forge | undefined
  readonly base: string
  readonly branch: string
  readonly title: string
}
