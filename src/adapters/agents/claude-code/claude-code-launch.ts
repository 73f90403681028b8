import path from 'node:path'
import { type Result, success } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { type InstalledProgram, planInstalled } from '../shared/installed-program.ts'
import { misconfigured } from '../shared/launch-environment.ts'
import { screenPrompt } from '../shared/screen-prompt.ts'

export const CLAUDE_CODE: InstalledProgram = {
  name: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  title: 'Claude Code',
  login: 'Run `claude` and log in',
}

/** With this name, no model is passed, and the account's default is used. */
export const DEFAULT_MODEL = 'default'

/** With it, a person keeps all of the program's files in one directory of their own. */
export const HOME_VARIABLE = 'CLAUDE_CONFIG_DIR'

const MCP_SERVER = 'muster'

/**
 * Tools that make no sense without a person at the terminal, continue working after the turn has ended, or leave the
 * working tree.
 */
const UNATTENDED_TOOLS = [
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'EnterWorktree',
  'ExitWorktree',
  'CronCreate',
  'ScheduleWakeup',
  'Monitor',
] as const

const QUIET = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' } as const

/** Allows only our own MCP server. A server configured in the working tree would start without anyone's consent. */
const HEADLESS = [
  '-p',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--permission-prompt-tool=stdio',
  '--strict-mcp-config',
  `--disallowedTools=${UNATTENDED_TOOLS.join(',')}`,
] as const

export async function planClaudeCodeLaunch(given: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  const request = { ...given, environment: withoutVagueHome(given.environment) }
  const { model } = request.agent
  if (model?.trim() === '') return misconfigured('model', 'is empty')
  const configuration = path.join(request.sessionDirectory, 'claude-code-mcp.json')
  const { mcp } = request
  const prompt = screenPrompt(request)
  const planned = await planInstalled(CLAUDE_CODE, request, {
    arguments: [
      ...(request.mode === 'headless' ? HEADLESS : []),
      `--permission-mode=${permissionMode(request)}`,
      ...(model === undefined || model === DEFAULT_MODEL ? [] : [`--model=${model}`]),
      ...(request.resume === undefined ? [] : [`--resume=${request.resume}`]),
      ...(mcp === undefined ? [] : [`--mcp-config=${configuration}`, `--allowedTools=mcp__${MCP_SERVER}`]),
      ...(prompt === undefined ? [] : ['--', prompt]),
    ],
    environment: environmentOf(request),
    ...(mcp === undefined ? {} : { files: { [configuration]: mcpConfiguration(mcp.url, mcp.token) } }),
  })
  const home = enclosedHome(request)
  if (!planned.ok || home === undefined) return planned
  const directory = path.join(home, '.claude')
  // A directory of the person's own has its account data in it already.
  if (planned.value.environment[HOME_VARIABLE] !== directory) return planned
  const from = path.join(home, '.claude.json')
  return success({ ...planned.value, copies: [{ from, to: path.join(directory, '.claude.json') }] })
}

/** An empty or relative path leads nowhere from a session's tree, and no sandbox shows it. */
function withoutVagueHome(environment: LaunchRequest['environment']): LaunchRequest['environment'] {
  const { [HOME_VARIABLE]: directory = '', ...others } = environment
  return path.isAbsolute(directory) ? environment : others
}

/**
 * The program stores account data in a file next to its directory and replaces that file by renaming, which doesn't
 * work for a single file mounted into a sandbox. In a sandbox, the program uses a copy inside its directory instead.
 */
function enclosedHome({ isEnclosed, environment }: LaunchRequest): string | undefined {
  return isEnclosed === true ? environment['HOME'] : undefined
}

/** On its own screen, the program asks the person there. */
function permissionMode(request: LaunchRequest): string {
  if (request.mode === 'interactive') return 'default'
  return request.permissions === 'bypass' ? 'bypassPermissions' : 'acceptEdits'
}

function environmentOf(request: LaunchRequest): Readonly<Record<string, string>> {
  const home = enclosedHome(request)
  const place = home === undefined ? QUIET : { ...QUIET, [HOME_VARIABLE]: path.join(home, '.claude') }
  if (request.mode === 'interactive') return place
  // If background tasks outlived their turn, the turn's result would be judged too early.
  const unattended = { ...place, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' }
  // As root, the program refuses to bypass permissions unless it believes that it runs in a sandbox.
  const isRoot = process.getuid?.() === 0
  return request.permissions === 'bypass' && isRoot ? { ...unattended, IS_SANDBOX: '1' } : unattended
}

function mcpConfiguration(url: string, token: string): string {
  // Without `alwaysLoad`, the model doesn't see the tools until it searches for them.
  const server = { type: 'http', url, alwaysLoad: true, headers: { Authorization: `Bearer ${token}` } }
  return JSON.stringify({ mcpServers: { [MCP_SERVER]: server } })
}
