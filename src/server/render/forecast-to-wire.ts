import type { WirePlaybookForecast } from '../../contract/forecast.ts'
import type { PlaybookForecast } from '../../engine/queries/forecast.ts'

export function forecastToWire({ playbook, ...forecast }: PlaybookForecast): WirePlaybookForecast {
  return {
    ...forecast,
    playbook: playbook.name,
    ends: [...forecast.ends],
    stages: forecast.stages.map(({ stage, entries, from, outcomes }) => ({
      ...{ stage, entries, from },
      outcomes: [...outcomes],
    })),
    roles: [...forecast.roles],
  }
}
