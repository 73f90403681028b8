import type { AgentProvider } from '../../../ports/agent-provider.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { readEventLine } from '../shared/read-event-line.ts'
import { planScriptedLaunch } from './scripted-launch.ts'

/** An agent that plays a script: a real program without a model, for demonstrations and tests. */
export function createScriptedProvider(options: { readonly nodePath?: string } = {}): AgentProvider {
  const nodePath = options.nodePath ?? process.execPath
  return {
    providerId: 'scripted',
    credentials: [],
    homePaths: [],
    availability: () => Promise.resolve({ type: 'available', version: process.version }),
    models: () => Promise.resolve([]),
    plan: (request) => planScriptedLaunch(nodePath, request),
    readLine: readEventLine,
    findAnswer,
  }
}
