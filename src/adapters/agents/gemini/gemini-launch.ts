import path from 'node:path'
import type { Result } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { type InstalledProgram, misconfigured, planInstalled } from '../shared/installed-program.ts'

export const GEMINI: InstalledProgram = { name: 'gemini', install: 'npm install -g @google/gemini-cli' }

/** Our own tools are asked about by nobody. */
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
      // The question whether this folder is trusted would wait for a person in every new tree.
      '--skip-trust',
      ...(model === undefined ? [] : [`--model=${model}`]),
    ],
    environment: {
      PWD: request.treeDirectory,
      // Started twice it takes half as much memory again, and the first does not end when it is told to.
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
  return ['--approval-mode=default', ...resume]
}
