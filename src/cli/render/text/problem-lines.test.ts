import { expect, it } from 'vitest'
import { describeFailure } from '../../../contract/failure/failure-table.ts'
import { createHint } from '../../hint.ts'
import { createPaint } from './paint.ts'
import { problemLines } from './problem-lines.ts'
import { wrapLine } from './wrap-line.ts'

const COLUMNS = 60

it('shows each command that installs an agent on a line of its own', () => {
  const { message, next } = describeFailure({
    type: 'agent-absent',
    role: 'worker',
    installs: ['npm install -g @anthropic-ai/claude-code', 'npm install -g @openai/codex'],
  })
  const problem = {
    type: 'agent-absent',
    exitCode: 2,
    message,
    ...(next === undefined ? {} : { next }),
  } as const
  const lines = problemLines(problem, createPaint(false), createHint({}))
  expect(lines.flatMap((line) => wrapLine(line, COLUMNS))).toEqual([
    'error: No agent is configured, and none of the supported',
    'agent programs is installed.',
    '  try: Install one of these and log in:',
    '         npm install -g @anthropic-ai/claude-code',
    '         npm install -g @openai/codex',
    '       then: muster doctor',
    '       Or add your own program to muster.yaml; the file that',
    '       `muster init` writes has an example',
  ])
})
