/**
 * Stands in for Claude Code, without a model: speaks its protocol as the recordings in `test/fixtures/transcripts` do.
 * As planner, it lists one task and then reports the goal as reached; as worker, it commits a file.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

type Received = { readonly type: string; readonly request_id?: string }

const SESSION = { session_id: 'stand-in' }
const PLAN = { tasks: [{ description: 'Write weeks.txt', files: ['weeks.txt'] }], done: false }
const DONE = { tasks: [], done: true, evidence: ['weeks.txt is there'] }

if (process.argv.includes('--version')) print('2.1.325 (Claude Code)')
else if (process.argv.includes('-p')) createInterface({ input: process.stdin }).on('line', hear)

function hear(line: string): void {
  const received = JSON.parse(line) as Received
  if (received.type === 'control_request') {
    const response = { subtype: 'success', request_id: received.request_id, response: {} }
    print(JSON.stringify({ type: 'control_response', response }))
  }
  if (received.type === 'user') answer(line)
}

function answer(prompt: string): void {
  const text = prompt.includes('You plan the work') ? JSON.stringify(plan()) : work()
  const usage = {
    input_tokens: 10,
    output_tokens: 2,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  }
  const message = { id: 'm1', role: 'assistant', model: 'stand-in', content: [{ type: 'text', text }], usage }
  print(JSON.stringify({ type: 'system', subtype: 'init', model: 'stand-in', tools: [], ...SESSION }))
  print(JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null, ...SESSION }))
  const result = { type: 'result', subtype: 'success', is_error: false, result: text, total_cost_usd: 0.01 }
  print(JSON.stringify({ ...result, stop_reason: 'end_turn', usage, ...SESSION }))
}

function plan(): object {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  return files.includes('weeks.txt') ? DONE : PLAN
}

function work(): string {
  writeFileSync('weeks.txt', 'weeks\n')
  execFileSync('git', ['add', 'weeks.txt'])
  execFileSync('git', ['commit', '-q', '-m', 'Add weeks.txt'])
  return 'weeks.txt is there'
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
