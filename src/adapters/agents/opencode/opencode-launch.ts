import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Result } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { type InstalledProgram, planInstalled } from '../shared/installed-program.ts'
import { misconfigured } from '../shared/launch-environment.ts'
import { screenPrompt } from '../shared/screen-prompt.ts'
import { OPENCODE_PLUGIN } from './opencode-plugin.ts'

export const OPENCODE: InstalledProgram = {
  name: 'opencode',
  install: 'npm install -g opencode-ai',
  title: 'OpenCode',
  login: 'Run `opencode auth login`',
  // Earlier versions have no `acp`.
  oldest: '0.6.0',
}

export const QUIET = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
} as const

/**
 * OpenCode merges the configuration in variables into the person's own. Settings in the working tree are disabled,
 * because nobody has agreed to what they would start. That also disables the tree's instructions, so we add them again.
 */
export function planOpencodeLaunch(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  if (request.agent.model?.trim() === '') return Promise.resolve(misconfigured('model', 'is empty'))
  // The program prefers PWD to its actual working directory.
  const environment = { ...QUIET, OPENCODE_DISABLE_PROJECT_CONFIG: '1', PWD: request.treeDirectory }
  return request.mode === 'headless' ? planProtocol(request, environment) : planScreen(request, environment)
}

function planProtocol(
  request: LaunchRequest,
  environment: Readonly<Record<string, string>>,
): Promise<Result<LaunchPlan, LaunchFailure>> {
  const plugin = path.join(request.sessionDirectory, 'opencode-plugin.js')
  const configuration = { ...instructionsOf(request), plugin: [pathToFileURL(plugin).href] }
  return planInstalled(OPENCODE, request, {
    arguments: ['acp', '--cwd', request.treeDirectory],
    environment: {
      ...environment,
      OPENCODE_PERMISSION: JSON.stringify(permissionRules(request.permissions)),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration),
    },
    files: { [plugin]: OPENCODE_PLUGIN },
  })
}

function planScreen(
  request: LaunchRequest,
  environment: Readonly<Record<string, string>>,
): Promise<Result<LaunchPlan, LaunchFailure>> {
  const { resume, agent } = request
  const prompt = screenPrompt(request)
  const configuration = { ...instructionsOf(request), ...serversOf(request) }
  return planInstalled(OPENCODE, request, {
    arguments: [
      request.treeDirectory,
      ...(agent.model === undefined ? [] : [`--model=${agent.model}`]),
      ...(resume === undefined ? [] : [`--session=${resume}`]),
      ...(prompt === undefined ? [] : [`--prompt=${prompt}`]),
    ],
    environment: { ...environment, OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration) },
  })
}

function instructionsOf(request: LaunchRequest): object {
  return { instructions: [path.join(request.treeDirectory, 'AGENTS.md')] }
}

/** Only for its own screen. Over the protocol, the conversation names its servers when it starts. */
function serversOf({ mcp }: LaunchRequest): object {
  if (mcp === undefined) return {}
  const headers = { Authorization: `Bearer ${mcp.token}` }
  return { mcp: { muster: { type: 'remote', url: mcp.url, headers, enabled: true } } }
}

/** The rules for what OpenCode asks about. Later rules win. */
function permissionRules(permissions: 'ask' | 'bypass'): Readonly<Record<string, string>> {
  if (permissions === 'bypass') return { '*': 'allow', question: 'deny' }
  return {
    '*': 'ask',
    read: 'allow',
    list: 'allow',
    glob: 'allow',
    grep: 'allow',
    lsp: 'allow',
    edit: 'allow',
    task: 'allow',
    skill: 'allow',
    todoread: 'allow',
    todowrite: 'allow',
    'muster_*': 'allow',
    bash: 'ask',
    webfetch: 'ask',
    websearch: 'ask',
    external_directory: 'ask',
    doom_loop: 'ask',
    question: 'deny',
  }
}
