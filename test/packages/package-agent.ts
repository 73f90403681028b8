/**
 * Stands in for a coding agent, without a model: plans three tasks for a package and does them, with npm as a real
 * agent would use it. `PACKAGE_PLANS` is a directory with a plan for each package, by the name in its package.json.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PackagePlan } from './package-plan.ts'

const environment = process.env
const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string }
const plan = JSON.parse(
  readFileSync(join(environment['PACKAGE_PLANS'] ?? '', `${name}.json`), 'utf8'),
) as PackagePlan
const TASKS = {
  add: `Add ${plan.add}`,
  edit: `Explain the last line of ${plan.edit}`,
  test: `Add the test ${plan.test.path}`,
}
const UNLOCKED = 'Leave the lock file out.'

if (environment['MUSTER_ROLE'] === 'planner') printResult(planned())
else work(readFileSync(environment['MUSTER_PROMPT_FILE'] ?? '', 'utf8'))

function planned(): object {
  if (!existsSync(plan.add)) {
    return { tasks: Object.values(TASKS).map((description) => ({ description })), done: false }
  }
  // A person refused the lock file that came with the test.
  if (!existsSync(plan.test.path))
    return { tasks: [{ description: `${TASKS.test}. ${UNLOCKED}` }], done: false }
  return { tasks: [], done: true, evidence: [`${plan.add} and ${plan.test.path} are there`] }
}

function work(prompt: string): void {
  if (prompt.includes(TASKS.add)) add()
  else if (prompt.includes(TASKS.edit)) edit()
  else addTest(prompt.includes(UNLOCKED) ? ['--no-package-lock'] : [])
}

function add(): void {
  writeFileSync(plan.add, 'How to contribute.\n')
  run('git', 'add', plan.add)
  run('git', 'commit', '-q', '-m', TASKS.add)
  printResult({ summary: `wrote ${plan.add}` })
}

/** Leaves its change uncommitted, as agents often do. */
function edit(): void {
  appendFileSync(plan.edit, '// That was all.\n')
  tryNpm('test')
  printResult({ summary: `explained ${plan.edit}` })
}

/** Installs again, runs the tests, and commits everything that git shows. */
function addTest(flags: readonly string[]): void {
  mkdirSync(dirname(plan.test.path), { recursive: true })
  writeFileSync(plan.test.path, plan.test.text)
  tryNpm('install', ...flags)
  tryNpm('test')
  if (plan.coverage !== undefined) {
    mkdirSync(plan.coverage, { recursive: true })
    writeFileSync(join(plan.coverage, 'lcov.info'), 'TN:\n')
  }
  run('git', 'add', '-A')
  run('git', 'commit', '-q', '-m', TASKS.test)
  printResult({ summary: `added ${plan.test.path}` })
}

/** An agent looks at the output of a failing command and continues. */
function tryNpm(...words: readonly string[]): void {
  try {
    run('npm', ...words)
  } catch (error) {
    process.stdout.write(`npm ${words.join(' ')} failed: ${error}\n`)
  }
}

function run(program: string, ...words: readonly string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'] })
}

function printResult(answer: object): void {
  process.stdout.write(`${JSON.stringify({ type: 'result', ...answer })}\n`)
}
