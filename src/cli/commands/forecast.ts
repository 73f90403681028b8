import type { CommandNeeds } from '../command-needs.ts'
import { printExactly } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { forecastLines } from '../render/playbook/forecast-lines.ts'
import { displayOf } from '../render/text/display.ts'
import { findRepository } from '../repository/find-repository.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type ForecastFlags = { readonly input?: Readonly<Record<string, string>> }

/** Prints what a run of a playbook is likely to cost and take, from what earlier runs did. */
export async function forecastCommand(
  needs: CommandNeeds,
  name: string,
  { input = {} }: ForecastFlags,
): Promise<Outcome> {
  const repositoryPath = await findRepository(needs.surroundings.cwd)
  const where = repositoryPath === undefined ? {} : { repositoryPath }
  return withDaemon(needs, (client) =>
    withAnswer(client.forecastPlaybook(name, { ...where, inputs: input }), (forecast) =>
      printExactly(needs, forecast, forecastLines(forecast, displayOf(needs))),
    ),
  )
}
