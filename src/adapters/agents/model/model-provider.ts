import type { AgentProvider } from '../../../ports/agent-provider.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { readEventLine } from '../shared/read-event-line.ts'
import { modelReadiness, unreadyAfterCall } from './model-key.ts'
import { type LaunchOptions, planModelLaunch } from './model-launch.ts'

const TIME_LIMIT_MS = 15 * 60_000

const CREDENTIALS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'MUSTER_MODEL_API_KEY',
]

/** An agent that is a single call to a language model, made by a small program of ours. */
export function createModelProvider(options: Partial<LaunchOptions> = {}): AgentProvider {
  const { nodePath = process.execPath, timeLimitMs = TIME_LIMIT_MS } = options
  return {
    providerId: 'model',
    credentials: CREDENTIALS,
    homePaths: [],
    availability: () => Promise.resolve({ type: 'available', version: process.version }),
    readiness: modelReadiness,
    unreadyAfter: unreadyAfterCall,
    models: () => Promise.resolve([]),
    plan: (request) => planModelLaunch({ nodePath, timeLimitMs }, request),
    readLine: readEventLine,
    findAnswer,
  }
}
