#!/usr/bin/env bash
# The same push as a workflow would do it without an action, with curl and jq: each variable in turn, the deployment,
# its status every five seconds, and GitHub's record of it. What the action is measured against.
set -euo pipefail

service() { curl -sS --fail-with-body -H "x-api-key: $API_KEY" -H 'content-type: application/json' "$@"; }
github() { curl -sS --fail-with-body -H "authorization: Bearer $GITHUB_TOKEN" -H 'accept: application/vnd.github+json' "$@"; }

echo "::add-mask::$API_KEY"
project="$BASE_URL/v1/projects/$PROJECT_ID"
known=$(service "$project/environment")
for name in $VARIABLES; do
  value=${!name}
  echo "::add-mask::$value"
  found=$(jq -c --arg name "$name" '.variables[] | select(.name == $name) | {id, version}' <<<"$known")
  if [[ -n $found ]]; then
    jq --arg value "$value" '{expectedVersion: .version, $value, kind: "secret"}' <<<"$found" |
      service -X PUT -d @- -o /dev/null "$project/environment/$(jq -r .id <<<"$found")"
  else
    jq -n --arg name "$name" --arg value "$value" '{$name, $value, kind: "secret", preview: true, production: true}' |
      service -X POST -d @- -o /dev/null "$project/environment"
  fi
done

records="$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/deployments"
record=$(jq -n --arg ref "$GITHUB_SHA" '{$ref, environment: "production", auto_merge: false, required_contexts: []}' |
  github -X POST -d @- "$records" | jq -r .id)
tell() { jq -n --arg state "$1" '{$state}' | github -X POST -d @- -o /dev/null "$records/$record/statuses"; }
tell in_progress

deployment=$(service -X POST -d '{}' "$project/deployments" | jq -r .deploymentId)
for _ in $(seq 120); do
  status=$(service "$project/deployments/$deployment" | jq -r .status)
  echo "$status"
  case $status in
    queued | building | deploying) sleep 5 ;;
    succeeded)
      tell success
      echo "outcome=$status" >>"$GITHUB_OUTPUT"
      exit 0
      ;;
    *) break ;;
  esac
done
tell failure
echo "::error::The deployment ended as $status"
exit 1
