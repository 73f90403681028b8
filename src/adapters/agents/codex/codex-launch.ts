import type { Result } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import type { McpAccess } from '../../../ports/dialogue.ts'
import { type InstalledProgram, planInstalled } from '../shared/installed-program.ts'
import { screenPrompt } from '../shared/screen-prompt.ts'

export const CODEX: InstalledProgram = {
  name: 'codex',
  install: 'npm install -g @openai/codex',
  title: 'Codex',
  login: 'Run `codex login`',
  // Earlier versions use other names for the approval policies.
  oldest: '0.67.0',
}

const TOKEN_VARIABLE = 'MUSTER_TOKEN'

/** Turns off everything except the model and our own tools: update checks, telemetry, plugins and a shared daemon. */
const QUIET_SETTINGS: Readonly<Record<string, boolean>> = {
  check_for_update_on_startup: false,
  'analytics.enabled': false,
  'feedback.enabled': false,
  'features.apps': false,
  'features.plugins': false,
  'features.daemon_auto_start': false,
}

/** Plans `codex app-server` for a conversation with us, and `codex` itself for a person. */
export function planCodexLaunch(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  const words =
    request.mode === 'headless' ? ['app-server', ...trustArguments(request)] : screenArguments(request)
  const prompt = screenPrompt(request)
  const last = prompt === undefined ? [] : ['--', prompt]
  return planInstalled(CODEX, request, {
    arguments: [...words, ...quietArguments(), ...toolArguments(request.mcp), ...last],
    ...(request.mcp === undefined ? {} : { environment: { [TOKEN_VARIABLE]: request.mcp.token } }),
  })
}

export function quietArguments(): readonly string[] {
  return overrides(QUIET_SETTINGS)
}

/**
 * Configures our own tools. The program doesn't have to ask before using them, because we can refuse a call ourselves.
 */
function toolArguments(mcp: McpAccess | undefined): readonly string[] {
  if (mcp === undefined) return []
  return overrides({
    'mcp_servers.muster.url': mcp.url,
    'mcp_servers.muster.bearer_token_env_var': TOKEN_VARIABLE,
    'mcp_servers.muster.default_tools_approval_mode': 'approve',
  })
}

function screenArguments(request: LaunchRequest): readonly string[] {
  const { resume, treeDirectory, permissions } = request
  const { model } = request.agent
  return [
    ...(resume === undefined ? [] : ['resume', resume]),
    '--cd',
    treeDirectory,
    ...(model === undefined ? [] : ['--model', model]),
    ...(permissions === 'bypass'
      ? ['--dangerously-bypass-approvals-and-sandbox', ...trustArguments(request)]
      : ['--ask-for-approval', 'on-request', '--sandbox', 'workspace-write']),
  ]
}

/**
 * Trusts the settings and hooks in the tree only with bypassed permissions. Without this argument, the program trusts
 * every tree that it starts in and adds the tree to the person's own settings.
 */
function trustArguments({ treeDirectory, permissions }: LaunchRequest): readonly string[] {
  const level = permissions === 'bypass' ? 'trusted' : 'untrusted'
  return ['-c', `projects={${JSON.stringify(treeDirectory)}={trust_level="${level}"}}`]
}

function overrides(settings: Readonly<Record<string, string | boolean>>): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`])
}
