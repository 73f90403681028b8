import type { Result } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import type { McpAccess } from '../../../ports/dialogue.ts'
import { type InstalledProgram, planInstalled } from '../shared/installed-program.ts'

export const CODEX: InstalledProgram = { name: 'codex', install: 'npm install -g @openai/codex' }

const TOKEN_VARIABLE = 'MUSTER_TOKEN'

/** A session talks to its model and to us; looking for news, plugins and a shared daemon is left out. */
const QUIET_SETTINGS: Readonly<Record<string, boolean>> = {
  check_for_update_on_startup: false,
  'analytics.enabled': false,
  'feedback.enabled': false,
  'features.apps': false,
  'features.plugins': false,
  'features.daemon_auto_start': false,
}

/** `codex app-server` for a conversation with us, `codex` itself for one with a person. */
export function planCodexLaunch(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  const words =
    request.mode === 'headless' ? ['app-server', ...trustArguments(request)] : screenArguments(request)
  return planInstalled(CODEX, request, {
    arguments: [...words, ...quietArguments(), ...toolArguments(request.mcp)],
    ...(request.mcp === undefined ? {} : { environment: { [TOKEN_VARIABLE]: request.mcp.token } }),
  })
}

export function quietArguments(): readonly string[] {
  return overrides(QUIET_SETTINGS)
}

/** Our own tools, which are ours to refuse: the program need not ask before it uses one. */
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
 * Whether settings and hooks that lie in the tree are taken up: only where nothing is asked anyhow. Without a
 * word on it the program trusts every tree it is started in and adds each to the person's own settings.
 */
function trustArguments({ treeDirectory, permissions }: LaunchRequest): readonly string[] {
  const level = permissions === 'bypass' ? 'trusted' : 'untrusted'
  return ['-c', `projects={${JSON.stringify(treeDirectory)}={trust_level="${level}"}}`]
}

function overrides(settings: Readonly<Record<string, string | boolean>>): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`])
}
