import path from 'node:path'
import { type Result, success } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { type InstalledProgram, misconfigured, planInstalled } from '../shared/installed-program.ts'

export const CLAUDE_CODE: InstalledProgram = {
  name: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
}

/** Means that no model is named, so that the account's own default is taken. */
export const DEFAULT_MODEL = 'default'

const MCP_SERVER = 'muster'

/**
 * Tools that make no sense where nobody sits: questions in a dialogue of their own, a plan to be approved, work
 * that goes on after the turn has ended, and leaving the working tree that was given.
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

/** Only our own tools: a server named in the working tree would be started without anyone having agreed. */
const HEADLESS = [
  '-p',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--permission-prompt-tool=stdio',
  '--strict-mcp-config',
  `--disallowedTools=${UNATTENDED_TOOLS.join(',')}`,
] as const

export async function planClaudeCodeLaunch(
  request: LaunchRequest,
): Promise<Result<LaunchPlan, LaunchFailure>> {
  const { model } = request.agent
  if (model?.trim() === '') return misconfigured('model', 'is empty')
  const configuration = path.join(request.sessionDirectory, 'claude-code-mcp.json')
  const { mcp } = request
  const planned = await planInstalled(CLAUDE_CODE, request, {
    arguments: [
      ...(request.mode === 'headless' ? HEADLESS : []),
      `--permission-mode=${permissionMode(request)}`,
      ...(model === undefined || model === DEFAULT_MODEL ? [] : [`--model=${model}`]),
      ...(request.resume === undefined ? [] : [`--resume=${request.resume}`]),
      ...(mcp === undefined ? [] : [`--mcp-config=${configuration}`, `--allowedTools=mcp__${MCP_SERVER}`]),
    ],
    environment: environmentOf(request),
    ...(mcp === undefined ? {} : { files: { [configuration]: mcpConfiguration(mcp.url, mcp.token) } }),
  })
  const home = enclosedHome(request)
  if (!planned.ok || home === undefined) return planned
  const from = path.join(home, '.claude.json')
  return success({ ...planned.value, copies: [{ from, to: path.join(home, '.claude', '.claude.json') }] })
}

/**
 * The program keeps what it knows of the person in a file beside its directory, and replaces it whole, which
 * cannot be done with a single file that is shown in a sandbox. There it keeps it in the directory instead.
 */
function enclosedHome({ isEnclosed, environment }: LaunchRequest): string | undefined {
  return isEnclosed === true ? environment['HOME'] : undefined
}

/** On its own screen the program asks the person who sits there. */
function permissionMode(request: LaunchRequest): string {
  if (request.mode === 'interactive') return 'default'
  return request.permissions === 'bypass' ? 'bypassPermissions' : 'acceptEdits'
}

function environmentOf(request: LaunchRequest): Readonly<Record<string, string>> {
  const home = enclosedHome(request)
  const place = home === undefined ? QUIET : { ...QUIET, CLAUDE_CONFIG_DIR: path.join(home, '.claude') }
  if (request.mode === 'interactive') return place
  // A turn that ends while something of it still runs in the background would be judged too early.
  const unattended = { ...place, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' }
  // The program refuses to work without asking as root unless it is told that this is a closed place.
  const isRoot = process.getuid?.() === 0
  return request.permissions === 'bypass' && isRoot ? { ...unattended, IS_SANDBOX: '1' } : unattended
}

function mcpConfiguration(url: string, token: string): string {
  // Else the model is not told of the tools until it searches for them.
  const server = { type: 'http', url, alwaysLoad: true, headers: { Authorization: `Bearer ${token}` } }
  return JSON.stringify({ mcpServers: { [MCP_SERVER]: server } })
}
