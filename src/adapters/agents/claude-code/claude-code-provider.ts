import type { AgentProvider, ModelInfo } from '../../../ports/agent-provider.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { installedAvailability } from '../shared/installed-program.ts'
import { claudeCodeDialogue } from './claude-code-dialogue.ts'
import { CLAUDE_CODE, DEFAULT_MODEL, HOME_VARIABLE, planClaudeCodeLaunch } from './claude-code-launch.ts'
import { claudeCodeReadiness } from './claude-code-readiness.ts'

/** Variables with credentials or the address of the model. */
const CREDENTIALS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_CUSTOM_HEADERS',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'AWS_BEARER_TOKEN_BEDROCK',
  'ANTHROPIC_BEDROCK_BASE_URL',
  'ANTHROPIC_VERTEX_BASE_URL',
  'ANTHROPIC_VERTEX_PROJECT_ID',
  'ANTHROPIC_FOUNDRY_API_KEY',
  'ANTHROPIC_FOUNDRY_BASE_URL',
  'ANTHROPIC_FOUNDRY_RESOURCE',
] as const

/** Aliases that the program resolves to the newest model of each kind. */
const MODELS: readonly ModelInfo[] = [
  { id: DEFAULT_MODEL, name: "The account's default", isDefault: true },
  { id: 'opus', name: 'Claude Opus' },
  { id: 'sonnet', name: 'Claude Sonnet' },
  { id: 'haiku', name: 'Claude Haiku' },
]

/** Claude Code, over its standard input and output. */
export function createClaudeCodeProvider(): AgentProvider {
  return {
    providerId: 'claude-code',
    credentials: CREDENTIALS,
    homePaths: ['.claude', '.claude.json'],
    homeVariable: HOME_VARIABLE,
    dialogue: claudeCodeDialogue,
    availability: () => installedAvailability(CLAUDE_CODE),
    readiness: claudeCodeReadiness,
    models: () => Promise.resolve(MODELS),
    plan: planClaudeCodeLaunch,
    readLine: () => [],
    findAnswer,
  }
}
