import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Result } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { type InstalledProgram, misconfigured, planInstalled } from '../shared/installed-program.ts'
import { opencodePermission } from './opencode-permission.ts'
import { OPENCODE_PLUGIN } from './opencode-plugin.ts'

export const OPENCODE: InstalledProgram = { name: 'opencode', install: 'npm install -g opencode-ai' }

export const QUIET = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
} as const

/**
 * OpenCode merges what is given in variables over the person's own configuration and replaces nothing else of
 * it. Settings that come with the working tree are left out, because nobody has agreed to what they would start;
 * the tree's instructions, which go with them, are named again.
 */
export function planOpencodeLaunch(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  if (request.agent.model?.trim() === '') return Promise.resolve(misconfigured('model', 'is empty'))
  // It believes this variable more than the directory it is started in.
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
      OPENCODE_PERMISSION: JSON.stringify(opencodePermission(request.permissions)),
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
  const configuration = { ...instructionsOf(request), ...serversOf(request) }
  return planInstalled(OPENCODE, request, {
    arguments: [
      request.treeDirectory,
      ...(agent.model === undefined ? [] : [`--model=${agent.model}`]),
      ...(resume === undefined ? [] : [`--session=${resume}`]),
    ],
    environment: { ...environment, OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration) },
  })
}

function instructionsOf(request: LaunchRequest): object {
  return { instructions: [path.join(request.treeDirectory, 'AGENTS.md')] }
}

/** Over the protocol its servers are named when the conversation begins. */
function serversOf({ mcp }: LaunchRequest): object {
  if (mcp === undefined) return {}
  const headers = { Authorization: `Bearer ${mcp.token}` }
  return { mcp: { muster: { type: 'remote', url: mcp.url, headers, enabled: true } } }
}
