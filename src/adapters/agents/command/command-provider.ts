import type { AgentProvider } from '../../../ports/agent-provider.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { readEventLine } from '../shared/read-event-line.ts'
import { planCommandLaunch } from './command-launch.ts'

/** Any program that reads its prompt from a file and prints lines. */
export function createCommandProvider(): AgentProvider {
  return {
    providerId: 'command',
    credentials: [],
    homePaths: [],
    availability: () => Promise.resolve({ type: 'available', version: 'any program' }),
    models: () => Promise.resolve([]),
    plan: planCommandLaunch,
    readLine: readEventLine,
    findAnswer,
  }
}
