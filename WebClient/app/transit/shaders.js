// The shaders of the ground map. Everything is in the ground frame (east, north, up, metres); the matrix comes from the engine.

const HEAD = `#version 300 es
precision highp float;
precision highp int;
`;

/** The ground itself: plain, with a grid and rings round the user, clear in the distance of the view. */
export const GROUND = {
  vertex: `${HEAD}
uniform mat4 clipFromGround;
uniform vec2 user;
uniform float radius;
in vec2 corner;
out vec2 place;
void main() {
  place = corner * radius;
  gl_Position = clipFromGround * vec4(user + place, 0.0, 1.0);
}`,
  fragment: `${HEAD}
uniform vec2 user;
uniform vec4 color;
uniform float reach;
uniform float mapPart;
uniform float grid;
in vec2 place;
out vec4 result;
float line(float value, float width) {
  float w = fwidth(value);
  return w > width * 8.0 ? 0.0 : 1.0 - smoothstep(0.0, 1.0, (abs(value) - width * 0.5) / max(w, 1e-6) + 0.5);
}
void main() {
  float distance = length(place);
  vec2 world = user + place;
  vec2 cell = (fract(world / grid + 0.5) - 0.5) * grid;
  float fine = max(line(cell.x, grid * 0.008), line(cell.y, grid * 0.008)) * 0.10;
  float rings = 0.0;
  float step = grid * 2.5;
  for (int k = 1; k <= 4; k++) rings = max(rings, line(distance - step * float(k), grid * 0.02));
  float fade = mix(1.0 - smoothstep(reach * 0.25, reach, distance), 1.0, mapPart);
  float light = max(fine, rings * 0.28);
  float alpha = mix(color.a, 1.0, mapPart) * fade;
  vec3 tone = color.rgb + vec3(light);
  alpha = max(alpha, light * fade);
  result = vec4(tone * alpha, alpha);
}`,
};

/** Map pictures on the ground. */
export const TILE = {
  vertex: `${HEAD}
uniform mat4 clipFromGround;
uniform vec2 user;
in vec4 corner;
out vec2 texture0;
out float away;
void main() {
  texture0 = corner.zw;
  away = length(corner.xy - user);
  gl_Position = clipFromGround * vec4(corner.xy, 0.0, 1.0);
}`,
  fragment: `${HEAD}
uniform sampler2D picture;
uniform float reach;
uniform float mapPart;
in vec2 texture0;
in float away;
out vec4 result;
void main() {
  float alpha = mix(0.82 * (1.0 - smoothstep(reach * 0.25, reach, away)), 1.0, mapPart);
  result = vec4(texture(picture, texture0).rgb * alpha, alpha);
}`,
};

/** Pins: one mesh, many instances. */
export const PIN = {
  vertex: `${HEAD}
uniform mat4 clipFromGround;
uniform mat3 pinFrame;
in vec3 position;
in vec3 normal;
in vec4 foot;
in vec4 color;
out vec3 facing;
out vec4 tint;
out float up;
void main() {
  facing = pinFrame * normal;
  tint = color;
  up = position.z;
  gl_Position = clipFromGround * vec4(vec3(foot.xy, 0.0) + pinFrame * position * foot.z * vec3(foot.w, foot.w, 1.0), 1.0);
}`,
  fragment: `${HEAD}
uniform vec3 towardsLight;
uniform vec3 towardsEye;
in vec3 facing;
in vec4 tint;
in float up;
out vec4 result;
void main() {
  vec3 n = normalize(facing);
  float day = 0.62 + 0.38 * clamp(dot(n, towardsLight), -0.4, 1.0);
  float gleam = pow(max(0.0, dot(n, normalize(towardsLight + towardsEye))), 36.0) * 0.45;
  float rim = pow(1.0 - max(0.0, dot(n, towardsEye)), 3.0) * 0.22;
  vec3 tone = tint.rgb * day * mix(0.72, 1.0, smoothstep(0.0, 0.7, up)) + gleam + rim * 0.5;
  result = vec4(tone * tint.a, tint.a);
}`,
};

/** Pictures of the atlas, standing towards the eye or lying on the ground, as their axes say. */
export const SPRITE = {
  vertex: `${HEAD}
uniform mat4 clipFromGround;
in vec2 corner;
in vec3 center;
in vec3 across;
in vec3 upwards;
in vec4 part;
in float opacity;
out vec2 texture0;
out float alpha;
void main() {
  texture0 = vec2(mix(part.x, part.z, corner.x * 0.5 + 0.5), mix(part.w, part.y, corner.y * 0.5 + 0.5));
  alpha = opacity;
  gl_Position = clipFromGround * vec4(center + across * corner.x + upwards * corner.y, 1.0);
}`,
  fragment: `${HEAD}
uniform sampler2D picture;
in vec2 texture0;
in float alpha;
out vec4 result;
void main() {
  result = texture(picture, texture0) * alpha;
  if (result.a < 0.004) discard;
}`,
};
