import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MusterClient, WireReport } from '../../src/client/index.ts'
import { quickHome } from '../support/quick-home.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { startJob } from '../support/run-job.ts'
import { take } from '../support/take.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type TestHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'
import { fetchPackages } from './fetch-packages.ts'
import type { PackagePlan } from './package-plan.ts'

const AGENT = resolve(import.meta.dirname, 'package-agent.ts')
const PACKAGES = [
  'isarray@1.0.0',
  'concat-map@0.0.1',
  'is-typedarray@1.0.0',
  'deep-is@0.1.3',
  'xtend@4.0.1',
  'uniq@1.0.1',
]
const IGNORED = 'node_modules/\ncoverage/\n'
const TAPE_TEST = (subject: string) =>
  `var test = require('tape')\ntest('it loads', function (t) {\n  t.ok(require('${subject}'))\n  t.end()\n})\n`

const PLANS: Readonly<Record<string, PackagePlan>> = {
  isarray: plan('index.js', 'test/added.js', '../', 'coverage'),
  'concat-map': plan('index.js', 'test/added.js', '../', 'coverage'),
  'is-typedarray': plan('index.js', 'test/added.js', '../'),
  workspace: plan(
    'packages/deep-is/index.js',
    'packages/deep-is/test/added.js',
    '../',
    'packages/xtend/coverage',
  ),
  uniq: plan('uniq.js', 'test/added.js', '../'),
}

function plan(edit: string, test: string, subject: string, coverage?: string): PackagePlan {
  const base = { add: 'CONTRIBUTING.md', edit, test: { path: test, text: TAPE_TEST(subject) } }
  return coverage === undefined ? base : { ...base, coverage }
}

/** npm as it is configured here, but without questions to its server that change nothing in the tree. */
const NPM = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_prefer_offline: 'true' }

const stack = new AsyncDisposableStack()
let home: TestHome
let client: MusterClient

// Before the tests are listed, so that a machine without a network skips them by name.
const { path } = stack.use(await temporaryDirectory('muster-packages'))
const fetched = await fetchPackages(path, PACKAGES)
const packages = fetched.type === 'fetched' ? fetched.packages : new Map<string, string>()
if (fetched.type === 'unreachable') process.stderr.write(`skipped: ${fetched.reason}\n`)

beforeAll(async () => {
  const plans = join(path, 'plans')
  await mkdir(plans)
  for (const [name, of] of Object.entries(PLANS))
    await writeFile(join(plans, `${name}.json`), JSON.stringify(of))
  home = stack.use(await quickHome())
  const daemon = await home.start({
    ...NPM,
    MUSTER_TRUST: '',
    XDG_CONFIG_HOME: await ownConfiguration(path, plans),
  })
  client = daemon.client
})
afterAll(() => stack.disposeAsync())

/** The agents are the person's own, so the repositories contain only what `muster init` wrote. */
async function ownConfiguration(path: string, plans: string): Promise<string> {
  const agent = { provider: 'command', command: [process.execPath, AGENT], env: { PACKAGE_PLANS: plans } }
  await mkdir(join(path, 'config/muster'), { recursive: true })
  await writeFile(join(path, 'config/muster/config.yaml'), JSON.stringify({ agents: { helper: agent } }))
  return join(path, 'config')
}

type Kind = { readonly hasLock: boolean; readonly ignores: boolean }

/** A git repository of a package, in which `muster init` has written the configuration. */
async function packageRepository(name: string, kind: Kind): Promise<TestRepository> {
  const repository = stack.use(await testRepository({}, name))
  if (name === 'workspace') await makeWorkspace(repository)
  else await cp(packages.get(name) ?? '', repository.path, { recursive: true })
  if (kind.ignores) await repository.write({ '.gitignore': IGNORED })
  if (kind.hasLock) await npm(repository, 'install', '--package-lock-only')
  await repository.commit('the package')
  const written = await muster(repository, 'init')
  expect(written).toMatchObject({ code: 0 })
  await repository.commit('muster init')
  return repository
}

async function makeWorkspace(repository: TestRepository): Promise<void> {
  const root = {
    name: 'workspace',
    private: true,
    workspaces: ['packages/*'],
    scripts: { test: 'npm test --workspaces' },
  }
  await repository.write({ 'package.json': JSON.stringify(root, undefined, 2) })
  for (const name of ['deep-is', 'xtend'])
    await cp(packages.get(name) ?? '', join(repository.path, 'packages', name), { recursive: true })
}

function muster({ path }: TestRepository, ...words: readonly string[]) {
  return runCommandLine(words, { home: home.home, cwd: path, environment: { MUSTER_TRUST: '' } })
}

async function npm({ path }: TestRepository, ...words: readonly string[]): Promise<void> {
  await promisify(execFile)('npm', words, { cwd: path, env: { ...process.env, ...NPM } })
}

/** What landed, without the task list. */
async function landed({ git }: TestRepository, branch: string): Promise<readonly string[]> {
  const listed = await git('diff', '--name-only', 'main', branch)
  return listed.split('\n').filter((path) => path !== 'TASKLIST.md')
}

/** Without a lock file, the agent's `npm install` makes one. No task asked for it, so it waits for a person. */
async function refuseLockFile(repository: TestRepository, jobId: string): Promise<void> {
  const pending = async () => take(await client.listApprovals({ job: jobId })).items
  await until(async () => (await pending()).length > 0)
  const [approval] = await pending()
  expect(JSON.stringify(approval?.action)).toContain('package-lock.json')
  const denied = await muster(repository, 'deny', approval?.id ?? '', '--reason', 'leave the lock file out')
  expect(denied).toMatchObject({ code: 0 })
}

/** Expects that exactly the files of the three tasks landed, and that the report counts them. */
async function expectOnlyWork(repository: TestRepository, name: string, jobId: string): Promise<void> {
  const { add, edit, test } = PLANS[name] ?? plan('', '', '')
  const job = await waitForJob(client, jobId)
  expect(job).toMatchObject({ status: 'completed', reason: 'goal-reached' })
  expect(await landed(repository, job.workingBranch)).toEqual([add, edit, test.path].toSorted())
  const added = (text: string) => ({ files: 1, added: text.split('\n').length - 1, removed: 0 })
  const shown = await muster(repository, 'report', jobId, '--json')
  const [report] = JSON.parse(shown.stdout).data.items as readonly WireReport[]
  const completed = report?.tasks.filter(({ status }) => status === 'completed') ?? []
  expect(completed.map(({ changes, summary }) => ({ changes, summary }))).toEqual([
    { changes: added('a line\n'), summary: `wrote ${add}` },
    { changes: added('a line\n'), summary: `explained ${edit}` },
    { changes: added(test.text), summary: `added ${test.path}` },
  ])
  expect(await repository.git('status', '--porcelain')).toBe('')
}

describe.concurrent('a job of three tasks on an npm package lands only the work of its agents', () => {
  const onPackage = it.skipIf(fetched.type === 'unreachable')
  onPackage.each([
    { name: 'isarray', title: 'with a lock file and a .gitignore', hasLock: true, ignores: true },
    { name: 'concat-map', title: 'without a lock file, with a .gitignore', hasLock: false, ignores: true },
    { name: 'is-typedarray', title: 'with a lock file, without a .gitignore', hasLock: true, ignores: false },
    { name: 'workspace', title: 'in a workspace of two packages', hasLock: true, ignores: true },
  ])('$title: $name', async ({ name, ...kind }) => {
    const repository = await packageRepository(name, kind)
    const jobId = await startJob(client, repository)
    if (!kind.hasLock) await refuseLockFile(repository, jobId)
    await expectOnlyWork(repository, name, jobId)
  })

  onPackage(
    'without both, on a base whose tests fail, which is reported before an agent starts: uniq',
    async () => {
      const repository = await packageRepository('uniq', { hasLock: false, ignores: false })
      const jobId = await startJob(client, repository)
      await until(async () => take(await client.getJob(jobId)).baseStatus === 'asking')
      const sessions = take(await client.listSessions({ job: jobId })).items
      expect(sessions.filter(({ purpose }) => purpose.type === 'attempt')).toEqual([])
      const shown = await muster(repository, 'base', jobId)
      expect(shown.stdout).toContain('not ok 4 should be equal')
      expect(await muster(repository, 'base', jobId, 'continue')).toMatchObject({ code: 0 })
      await refuseLockFile(repository, jobId)
      await expectOnlyWork(repository, 'uniq', jobId)
    },
  )
})
