import { type Forecast, forecast } from '../../domain/forecast/forecast.ts'
import type { PlaybookStartFailure } from '../../domain/job/start-failure.ts'
import { RUN_LIMITS } from '../../domain/limits/run-limits.ts'
import type { Playbook } from '../../domain/playbook/playbook.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { readInputs } from '../../domain/run/read-inputs.ts'
import type { RunInputs } from '../../domain/run/run.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { readNamed } from '../jobs/read-playbook.ts'
import { familyMember } from '../read-family.ts'
import type { Reads } from './find-record.ts'

export type ForecastRequest = {
  readonly name: string
  readonly repositoryPath?: string | undefined
  readonly inputs?: RunInputs | undefined
}

export type PlaybookForecast = { readonly playbook: Playbook } & Forecast

/** What a run of a playbook is likely to take, from what earlier runs in this home did. */
export async function forecastPlaybook(
  needs: Reads & Pick<EngineNeeds, 'playbooks'>,
  { name, repositoryPath, inputs: given = {} }: ForecastRequest,
): Promise<Result<PlaybookForecast, PlaybookStartFailure>> {
  const found = await readNamed(needs, name, repositoryPath)
  if (!found.ok) return found
  const { folder, children } = found.value
  const { playbook } = folder
  const inputs = readInputs({ ...playbook, inputs: withoutDuties(playbook) }, given)
  if (!inputs.ok) return failure({ type: 'playbook-input-invalid', name, problem: inputs.failure })
  const history = await needs.store.read.runs.history(RUN_LIMITS.forecastRuns)
  const find = familyMember({ folder, children })
  return success({ playbook, ...forecast(playbook, { history, inputs: inputs.value, find }) })
}

/** A forecast can be made without an input that only a run needs. */
function withoutDuties({ inputs }: Playbook): Playbook['inputs'] {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, { ...input, isRequired: false }]),
  )
}
