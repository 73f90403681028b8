import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { type TestRepository, testRepository } from '../../../test/support/test-repository.ts'
import type { WirePullRequest } from '../../client/index.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_JOB_ID } from '../testing/sample-wire.ts'
import { Refused } from '../testing/stand-in-api.ts'
import { type ForgeCall, openStandInForge, type StandInForge } from '../testing/stand-in-forge.ts'

const trial = createCommandTrial(temporaryDirectory)
const WRITTEN_URL = 'https://git.example.com/octo/repo.git'
const BRANCH = 'muster/job'

let work: TestRepository
let bare: string
let forge: StandInForge
let environment: Record<string, string>

beforeEach(async () => {
  work = await testRepository()
  bare = join(work.path, '..', 'remote.git')
  await work.git('init', '-q', '--bare', '-b', 'main', bare)
  await work.git('push', '-q', bare, 'main')
  await work.git('remote', 'add', 'origin', WRITTEN_URL)
  // The person's own settings lead git to the directory that stands in for the host.
  const settings = join(work.path, '..', 'gitconfig')
  writeFileSync(settings, `[url "${bare}"]\n\tinsteadOf = ${WRITTEN_URL}\n`)
  environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: settings,
    GIT_CONFIG_NOSYSTEM: '1',
    GITHUB_TOKEN: 'forge-token',
    GITLAB_TOKEN: 'forge-token',
  }
  forge = await openStandInForge()
})

afterEach(async () => {
  await forge[Symbol.asyncDispose]()
  await work[Symbol.asyncDispose]()
})

/** One more commit, as a job would land it. */
async function landed(parent = 'main'): Promise<string> {
  return (await work.git('commit-tree', '-p', parent, '-m', `after ${parent}`, 'HEAD^{tree}')).trim()
}

function proposal(commit: string, rest: Partial<WirePullRequest> = {}): WirePullRequest {
  return {
    jobId: SAMPLE_JOB_ID,
    repositoryPath: work.path,
    baseBranch: 'main',
    baseCommit: execFileSync('git', ['rev-parse', 'main'], { cwd: work.path, encoding: 'utf8' }).trim(),
    branch: BRANCH,
    commit,
    objectsPath: join(work.path, '.git', 'objects'),
    title: 'Make it work',
    body: '## Goal\n\nthanks @\u200boctocat\n',
    isReady: true,
    notReady: [],
    warnings: [],
    ...rest,
  }
}

const GITHUB = () => ['--forge', 'github', '--api-url', forge.url]
const GITLAB = () => ['--forge', 'gitlab', '--api-url', forge.url]

function pr(prepared: WirePullRequest, words: readonly string[], overrides: Record<string, string> = {}) {
  return trial.run({ answers: () => prepared }, ['pr', SAMPLE_JOB_ID, ...words], {
    environment: { ...environment, ...overrides },
    temporaryDirectory: trial.path(),
  })
}

const remoteHead = (branch = BRANCH) => work.git('--git-dir', bare, 'rev-parse', `refs/heads/${branch}`)
const leftovers = () => readdirSync(trial.path()).filter((name) => name.startsWith('muster-pr-'))
const sent = ({ method, path }: ForgeCall) => `${method} ${path}`

describe('muster pr on GitHub', () => {
  it('pushes the branch, opens a pull request, and updates both the next time', async () => {
    const first = await landed()
    const opened = await pr(proposal(first), [...GITHUB(), '--draft'])
    expect(opened).toMatchObject({ code: 0, err: '' })
    expect(opened.out).toBe(
      `Pushed ${BRANCH} to origin at ${first.slice(0, 10)}.\nOpened pull request 1 into main: https://github.com/octo/repo/pull/1\n`,
    )
    expect(await remoteHead()).toBe(first)
    expect(forge.calls.at(-1)?.body).toEqual({
      head: BRANCH,
      base: 'main',
      title: 'Make it work',
      draft: true,
      body: '<!-- muster:start -->\n## Goal\n\nthanks @\u200boctocat\n<!-- muster:end -->\n',
    })

    const second = await landed(first)
    const updated = await pr(proposal(second, { body: 'newer\n' }), [...GITHUB(), '--json'])
    expect(JSON.parse(updated.out)).toMatchObject({
      success: true,
      data: { status: 'updated', number: 1, url: 'https://github.com/octo/repo/pull/1', hasMoved: true },
    })
    expect(await remoteHead()).toBe(second)
    expect(forge.calls.map(sent)).toEqual([
      'GET /repos/octo/repo/pulls',
      'POST /repos/octo/repo/pulls',
      'GET /repos/octo/repo/pulls',
      'PATCH /repos/octo/repo/pulls/1',
    ])
    expect(forge.calls.at(-1)?.body).toEqual({ body: '<!-- muster:start -->\nnewer\n<!-- muster:end -->\n' })
    expect(leftovers()).toEqual([])
  })

  it('never forces: a branch with commits of others stays, and nothing is proposed', async () => {
    const theirs = await landed('HEAD')
    await work.git('push', '-q', bare, `${await landed(theirs)}:refs/heads/${BRANCH}`)
    const before = await remoteHead()
    const { code, err } = await pr(proposal(theirs), GITHUB())
    expect(code).toBe(3)
    expect(err).toContain(`${BRANCH} on origin has commits that the job doesn't have`)
    expect(await remoteHead()).toBe(before)
    expect(forge.calls).toEqual([])
  })

  it('does neither in a dry run, and shows the text', async () => {
    const { code, out, requests } = await pr(proposal(await landed()), [
      ...GITHUB(),
      '--dry-run',
      '--title',
      'Mine',
    ])
    expect(code).toBe(0)
    expect(out).toContain(`Would push`)
    expect(out).toContain('with GITHUB_TOKEN.\n\nTitle: Mine\n\n## Goal\n\nthanks @\u200boctocat\n')
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual([])
    expect(forge.calls).toEqual([])
    await expect(remoteHead()).rejects.toThrow()
  })

  it('says in a dry run that the pushed commit is another one without the task list', async () => {
    const shown = proposal(await landed(), { hasTaskList: true })
    const without = await pr(shown, [...GITHUB(), '--dry-run'])
    expect(without.out).toMatch(/^Would push [0-9a-f]{10}, without TASKLIST\.md, to /)
    const asked = await pr(shown, [...GITHUB(), '--dry-run', '--with-task-list'])
    expect(asked.out).toMatch(/^Would push [0-9a-f]{10} to /)
  })

  it('warns if the work is not ready and if the base was not pushed, and goes on', async () => {
    await work.write({ 'own.txt': 'own\n' })
    await work.commit('not pushed')
    const notReady = ['task t1-1 failed', 'the job is running']
    const { code, err } = await pr(proposal(await landed(), { isReady: false, notReady }), GITHUB())
    expect(code).toBe(0)
    expect(err).toContain('warning: not ready to merge: task t1-1 failed\n')
    expect(err).toMatch(/warning: main on origin doesn't have [0-9a-f]{10}, where the job started/)
  })

  it('keeps what a person wrote around the report', async () => {
    const commit = await landed()
    await pr(proposal(commit), GITHUB())
    const [, created] = forge.calls
    const text = String(created?.body?.['body'])
    const edited = `My words\n\n${text}\nReviewed-by: me`
    await fetch(`${forge.url}/repos/octo/repo/pulls/1`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer forge-token' },
      body: JSON.stringify({ body: edited }),
    })
    await pr(proposal(commit, { body: 'newer' }), [...GITHUB(), '--title', 'Better'])
    expect(forge.calls.at(-1)?.body).toEqual({
      title: 'Better',
      body: 'My words\n\n<!-- muster:start -->\nnewer\n<!-- muster:end -->\n\nReviewed-by: me',
    })
  })
})

it('opens and updates a merge request on GitLab', async () => {
  const first = await landed()
  const { code, out } = await pr(proposal(first), [...GITLAB(), '--draft'])
  expect(code).toBe(0)
  expect(out).toContain('Opened pull request 1 into main: https://gitlab.com/octo/repo/-/merge_requests/1\n')
  expect(forge.calls.at(-1)?.body).toMatchObject({
    source_branch: BRANCH,
    target_branch: 'main',
    title: 'Draft: Make it work',
  })
  await pr(proposal(await landed(first)), GITLAB())
  expect(sent(forge.calls.at(-1) as ForgeCall)).toBe('PUT /projects/octo%2Frepo/merge_requests/1')
})

describe('without a token', () => {
  const withoutToken = { GITHUB_TOKEN: '', GH_HOST: 'git.example.com' }

  it('asks with the log-in of gh, if it is installed', async () => {
    const programs = join(trial.path(), 'bin')
    mkdirSync(programs)
    const gh = join(programs, 'gh')
    writeFileSync(gh, FAKE_GH)
    chmodSync(gh, 0o755)
    const path = { PATH: `${programs}:${environment['PATH']}`, FORGE_URL: forge.url }
    const commit = await landed()
    const { code, out } = await pr(proposal(commit), [], { ...withoutToken, ...path })
    expect(code).toBe(0)
    expect(out).toContain('Opened pull request 1 into main')
    const loggedOut = { ...withoutToken, ...path, LOGGED_OUT: '1' }
    const refused = await pr(proposal(commit), [], loggedOut)
    expect(refused.code).toBe(3)
    expect(refused.err).toContain('gh has no log-in that works for git.example.com')
    expect(refused.err).toContain('try: run gh auth login --hostname git.example.com, or set')
    const dry = await pr(proposal(commit), ['--dry-run'], loggedOut)
    expect(dry.out).toContain('Would not open a pull request: ')
    expect(dry.out).toContain('gh has no log-in that works for git.example.com')
  })

  it('pushes and prints where the person can open it', async () => {
    // A path without gh, on a machine that may have it.
    const programs = join(trial.path(), 'only-git')
    mkdirSync(programs)
    writeFileSync(join(programs, 'git'), `#!/bin/sh\nPATH='${environment['PATH']}' exec git "$@"\n`, {
      mode: 0o755,
    })
    const commit = await landed()
    const dry = await pr(proposal(commit), ['--dry-run'], { ...withoutToken, PATH: programs })
    expect(dry.code).toBe(0)
    expect(dry.out).toContain('Would not open a pull request: there is no GH_ENTERPRISE_TOKEN or ')
    expect(dry.out).toMatch(
      /\n {2}try: install gh and run gh auth login --hostname git\.example\.com, or set GH_ENTERPRISE_TOKEN; then: muster .*pr /,
    )
    const { code, err } = await pr(proposal(commit), [], { ...withoutToken, PATH: programs })
    expect(code).toBe(3)
    expect(await remoteHead()).toMatch(/^[0-9a-f]{40}$/)
    expect(err).toContain('https://git.example.com/octo/repo/compare/main...muster%2Fjob?expand=1')
    expect(err).toContain(`muster report ${SAMPLE_JOB_ID} --format markdown`)
    const json = await pr(proposal(commit), ['--json'], { ...withoutToken, PATH: programs })
    expect(JSON.parse(json.out)).toMatchObject({ success: false, error: { type: 'pull-request-not-opened' } })
  })

  it('sends no token to a host that the person did not name', async () => {
    const { code, err } = await pr(proposal(await landed()), [])
    expect(code).toBe(3)
    expect(err).toContain('nothing was pushed: git.example.com is not known to be GitHub or GitLab')
    expect(err).toContain(`push origin ${BRANCH}`)
    expect(forge.calls).toEqual([])
    await expect(remoteHead()).rejects.toThrow()
    const dry = await pr(proposal(await landed()), ['--dry-run'])
    expect(dry.out).toMatch(
      /^Would push nothing\.\nWould not open a pull request: git\.example\.com is not known .*\n {2}try: muster .*--forge /,
    )
  })
})

describe('a remote that is a directory', () => {
  it('is explained with the command that pushes the branch, once', async () => {
    await work.git('remote', 'add', 'copy', bare)
    const { code, err } = await pr(proposal(await landed()), ['--remote', 'copy'])
    expect(code).toBe(3)
    expect(err.match(/push \S+ muster/g)).toHaveLength(1)
  })
})

describe('a pull request that fails', () => {
  it('says what the forge said, and that the branch is pushed', async () => {
    const body = { message: 'Validation Failed', errors: [{ message: 'No commits between main and x' }] }
    await using refusing = await openStandInForge(() => ({ status: 422, body }))
    const { code, err } = await pr(proposal(await landed()), ['--forge', 'github', '--api-url', refusing.url])
    expect(code).toBe(1)
    expect(err).toContain('GitHub says: Validation Failed; No commits between main and x')
    expect(err).toContain(`Pushed ${BRANCH} to origin`)
  })

  it('explains a remote, a base or a repository that is not there', async () => {
    const commit = await landed()
    const other = await pr(proposal(commit), ['--remote', 'upstream'])
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('no remote called upstream') })
    const base = await pr(proposal(commit), [...GITHUB(), '--base', 'develop'])
    expect(base).toMatchObject({
      code: 2,
      err: expect.stringContaining('origin has no branch develop, so nothing was pushed'),
    })
    const elsewhere = await pr(proposal(commit, { objectsPath: '/nowhere/objects' }), GITHUB())
    expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining(`push origin ${BRANCH}`) })
    const settings = join(trial.path(), 'gitconfig')
    writeFileSync(settings, `[url "${join(trial.path(), 'nothing.git')}"]\n\tinsteadOf = ${WRITTEN_URL}\n`)
    const absent = await pr(proposal(commit), GITHUB(), { GIT_CONFIG_GLOBAL: settings })
    expect(absent).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no repository at origin'),
    })
    await work.git('remote', 'remove', 'origin')
    expect(await pr(proposal(commit), GITHUB())).toMatchObject({
      code: 2,
      err: expect.stringContaining('no remote to push to'),
    })
  })

  it('prints no password of a remote, and asks for none in a pipe', async () => {
    await work.git('remote', 'set-url', 'origin', 'http://ada:secret-word@127.0.0.1:1/octo/repo.git')
    const { code, err } = await pr(proposal(await landed()), GITHUB())
    expect(code).toBe(1)
    expect(err).toContain('origin (http://127.0.0.1:1/octo/repo.git) could not be reached')
    expect(err).not.toContain('secret-word')
  })

  it('is refused while nothing has landed, and with an address that others can read', async () => {
    const error = { type: 'nothing-landed', message: 'The job has not landed anything yet.' }
    const answers = () => new Refused(409, { success: false, error })
    const nothing = await trial.run({ answers }, ['pr', SAMPLE_JOB_ID])
    expect(nothing).toMatchObject({ code: 3, err: expect.stringContaining('has not landed anything') })
    const open = await pr(proposal(await landed()), [
      '--forge',
      'github',
      '--api-url',
      'http://git.example.com',
    ])
    expect(open).toMatchObject({ code: 2, err: expect.stringContaining('is not encrypted') })
  })
})

it("runs no hook and no setting of the person's repository", async () => {
  const canary = join(trial.path(), 'canary')
  writeFileSync(join(work.path, '.git', 'hooks', 'pre-push'), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 })
  await work.git('config', 'core.sshCommand', `touch ${canary}`)
  await work.git('config', 'remote.origin.receivepack', `touch ${canary}; git-receive-pack`)
  expect((await pr(proposal(await landed()), GITHUB())).code).toBe(0)
  expect(readdirSync(trial.path())).not.toContain('canary')
})

/** Speaks as `gh api` does, and forwards to the stand-in with its own token. */
const FAKE_GH = `#!${process.execPath}
const parameters = process.argv.slice(2)
if (process.env.LOGGED_OUT === '1') {
  process.stderr.write('To get started with GitHub CLI, please run:  gh auth login\\n')
  process.exit(4)
}
const valueOf = (name) => parameters[parameters.indexOf(name) + 1]
if (parameters[0] === 'auth') process.exit(parameters[1] === 'status' && valueOf('--hostname') === 'git.example.com' ? 0 : 64)
if (parameters[0] !== 'api' || valueOf('--hostname') !== 'git.example.com' || !parameters.includes('--include')) process.exit(64)
const chunks = []
for await (const chunk of process.stdin) chunks.push(chunk)
const body = Buffer.concat(chunks).toString()
const response = await fetch(process.env.FORGE_URL + '/' + parameters.at(-1), {
  method: valueOf('--method'),
  headers: { authorization: 'Bearer forge-token' },
  ...(body === '' ? {} : { body }),
})
process.stdout.write('HTTP/2.0 ' + response.status + ' ' + response.statusText + '\\r\\nX-Header: one\\r\\n\\r\\n' + (await response.text()))
process.exit(response.ok ? 0 : 1)
`
