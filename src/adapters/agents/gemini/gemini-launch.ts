import path from 'node:path'
import type { Result } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { type InstalledProgram, planInstalled } from '../shared/installed-program.ts'
import { misconfigured } from '../shared/launch-environment.ts'
import { screenPrompt } from '../shared/screen-prompt.ts'

export const GEMINI: InstalledProgram = {
  name: 'gemini',
  install: 'npm install -g @google/gemini-cli',
  title: 'Gemini',
  login: 'Run `gemini` and log in, or set GEMINI_API_KEY',
  // Earlier versions have no `--skip-trust`.
  oldest: '0.38.0',
}

/** Allows our own tools without asking. */
const POLICY = `[[rule]]
mcpName = "muster"
toolName = "*"
decision = "allow"
priority = 900
`

export function planGeminiLaunch(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  const { model } = request.agent
  if (model?.trim() === '') return Promise.resolve(misconfigured('model', 'is empty'))
  const policy = path.join(request.sessionDirectory, 'gemini-policy.toml')
  return planInstalled(GEMINI, request, {
    arguments: [
      ...modeArguments(request),
      `--policy=${policy}`,
      // Otherwise, the program asks a person in every new tree whether to trust it.
      '--skip-trust',
      ...(model === undefined ? [] : [`--model=${model}`]),
    ],
    environment: {
      PWD: request.treeDirectory,
      // A relaunch needs half as much memory again, and the first process ignores signals to exit.
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    files: { [policy]: POLICY },
  })
}

function modeArguments(request: LaunchRequest): readonly string[] {
  if (request.mode === 'headless') {
    return ['--acp', `--approval-mode=${request.permissions === 'bypass' ? 'yolo' : 'auto_edit'}`]
  }
  const resume = request.resume === undefined ? [] : [`--resume=${request.resume}`]
  const prompt = screenPrompt(request)
  return [
    '--approval-mode=default',
    ...resume,
    ...(prompt === undefined ? [] : [`--prompt-interactive=${prompt}`]),
  ]
}
