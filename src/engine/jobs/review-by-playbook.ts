import type { LandingMode } from '../../domain/landing/landing-mode.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { StartJobRequest } from './job-commands.ts'

type Wanted = Pick<StartJobRequest, 'mode' | 'playbook'>

/** The mode of a job. Only the stages of a playbook decide who reviews its work, so mode `review` adds no review. */
export function modeOf(request: Wanted, { mode: configured }: Pick<Configuration, 'mode'>): LandingMode {
  const mode = request.mode ?? configured ?? 'auto'
  return mode === 'review' && request.playbook !== undefined ? 'auto' : mode
}

/** Tells a person whose configuration asks for reviews that a playbook may have none. */
export function reviewWarnings(
  { mode, playbook }: Wanted,
  configuration: Pick<Configuration, 'mode'>,
): readonly string[] {
  if (playbook === undefined || mode !== undefined || configuration.mode !== 'review') return []
  return ['mode: review has no effect here, because the playbook decides about reviews']
}
