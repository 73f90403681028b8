/**
 * Who has a say before something lands, after the checks: nobody more, a reviewer agent, or a person who saw the
 * diff of exactly this landing (and the reviewer too, where there is one).
 */
export type LandingMode = 'auto' | 'review' | 'approve'
