import { describe, expect, it } from 'vitest'
import { chooseForge, compareUrl, type Forge } from './forge.ts'
import { forgeProblem } from './forge-problem.ts'
import { readPullRequest, refusalWords } from './forge-requests.ts'
import { parseRemoteAddress, shownUrl } from './remote-address.ts'

describe('the address of a remote', () => {
  it.each([
    ['https://github.com/octo/repo.git', 'github.com', 'octo/repo'],
    ['https://ada:secret@GitHub.com/octo/repo/', 'github.com', 'octo/repo'],
    ['git@github.com:octo/repo.git', 'github.com', 'octo/repo'],
    ['ssh://git@ssh.github.com:443/octo/repo.git', 'github.com', 'octo/repo'],
    ['git@gitlab.com:group/sub/repo.git', 'gitlab.com', 'group/sub/repo'],
    ['https://git.example.com:8443/a/b', 'git.example.com:8443', 'a/b'],
    ['work:octo/repo', 'work', 'octo/repo'],
  ])('of %s is known', (url, host, path) => {
    expect(parseRemoteAddress(url)).toEqual({ host, path })
  })

  it.each([
    '/srv/repo.git',
    '../repo.git',
    'file:///srv/a/b.git',
    'https://github.com/',
    'ext::sh -c x',
    'C:/x',
  ])('of %s is none of a forge, or none at all', (url) => {
    const address = parseRemoteAddress(url)
    expect(address === undefined || !address.host.includes('.')).toBe(true)
  })

  it('is shown without a password', () => {
    expect(shownUrl('https://ada:secret@github.com/a/b')).toBe('https://github.com/a/b')
    expect(shownUrl('https://ada:se@cret@github.com/a/b')).toBe('https://github.com/a/b')
    expect(shownUrl('git@github.com:a/b')).toBe('git@github.com:a/b')
  })
})

describe('the forge of a remote', () => {
  const choose = (host: string, flags = {}, environment = {}) => {
    const chosen = chooseForge({ host, path: 'o/r' }, flags, environment)
    return chosen.ok ? chosen.value : undefined
  }

  it('is known for the public hosts, and otherwise only if the person names it', () => {
    expect(choose('github.com')).toMatchObject({ kind: 'github', apiUrl: 'https://api.github.com' })
    expect(choose('gitlab.com')).toMatchObject({ kind: 'gitlab', apiUrl: 'https://gitlab.com/api/v4' })
    expect(choose('gitlab.example.com')).toBeUndefined()
    expect(choose('ghe.example.com', {}, { GH_HOST: 'ghe.example.com' })).toMatchObject({
      apiUrl: 'https://ghe.example.com/api/v3',
    })
    expect(choose('lab.example.com', {}, { GITLAB_HOST: 'https://lab.example.com/x' })?.kind).toBe('gitlab')
    expect(choose('alias', { forge: 'github', apiUrl: 'https://api.github.com/' })?.apiUrl).toBe(
      'https://api.github.com',
    )
  })

  it('has a page on which a person can open the pull request', () => {
    const forge = choose('gitlab.com') as Forge
    expect(decodeURIComponent(compareUrl(forge, 'main', 'a/b'))).toBe(
      'https://gitlab.com/o/r/-/merge_requests/new?merge_request[source_branch]=a/b&merge_request[target_branch]=main',
    )
  })
})

describe('what a forge refuses', () => {
  const forge: Forge = { kind: 'github', host: 'github.com', path: 'o/r', apiUrl: '', isApiGiven: false }
  const access = { name: 'GH_TOKEN', send: () => Promise.reject(new Error('not used')) }

  it.each([
    [401, { message: 'Bad credentials' }, 4, 'did not accept the credentials from GH_TOKEN (401)'],
    [403, { message: 'Resource not accessible' }, 4, "doesn't let GH_TOKEN open pull requests in o/r"],
    [403, { message: 'API rate limit exceeded' }, 1, 'accepts no more requests for now'],
    [404, { message: 'Not Found' }, 1, 'has no repository o/r that GH_TOKEN can see'],
    [422, { message: 'Validation Failed' }, 1, 'did not accept the pull request (422)'],
    [502, undefined, 1, 'did not accept the pull request (502)'],
  ])('is explained: %i %j', (status, body, exitCode, words) => {
    const problem = forgeProblem({ forge, access, pushed: 'Pushed it.' }, { status, body })
    expect(problem).toMatchObject({ exitCode, message: expect.stringContaining(words) })
    expect(problem.why).toContain('Pushed it.')
  })

  it('is quoted in whatever form it comes', () => {
    expect(refusalWords({ message: ['Another open merge request exists: !3'] })).toBe(
      'Another open merge request exists: !3',
    )
    expect(refusalWords({ message: { base: ['is bad'] } })).toBe('{"base":["is bad"]}')
    expect(refusalWords({ message: 'V', errors: [{ field: 'head' }, 'x'] })).toBe('V; {"field":"head"}; x')
    expect(refusalWords('<html>')).toBe('')
    expect(readPullRequest(forge, { number: 'x' })).toBeUndefined()
  })
})
