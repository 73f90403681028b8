import type { EngineNeeds } from '../engine-needs.ts'
import { READY_MADE } from './installed-agents.ts'

/** How to install each agent program that works without configuration. */
export async function howToInstall({
  providers,
}: Pick<EngineNeeds, 'providers'>): Promise<readonly string[]> {
  const found = await Promise.all(READY_MADE.map(({ provider }) => providers.get(provider)?.availability()))
  return found.flatMap((availability) => (availability?.type === 'missing' ? [availability.install] : []))
}
