// The one program that models are drawn with: metallic-roughness shading after glTF 2.0, appendix B, lit by a sun over the
// viewer's shoulder and a sky that is brighter above than below. Everything is computed in linear light.

export const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv0;
layout(location = 4) in vec2 uv1;
layout(location = 5) in vec4 color;
uniform mat4 clipFromCamera;
/** Radial terms of the camera's lens, and up to which r² they hold. */
uniform vec4 lens;
uniform mat4 cameraFromNode;
uniform mat3 cameraFromNormal;
/** The part of its depth that a point is drawn at; where it is on the screen does not change. */
uniform float nearer;
out vec3 pointInCamera;
out vec3 normalInCamera;
out vec4 tangentInCamera;
out vec2 coordinates0;
out vec2 coordinates1;
out vec4 vertexColor;
void main() {
  vec4 p = cameraFromNode * vec4(position, 1.0);
  pointInCamera = p.xyz;
  normalInCamera = cameraFromNormal * normal;
  tangentInCamera = vec4(mat3(cameraFromNode) * tangent.xyz, tangent.w);
  coordinates0 = uv0;
  coordinates1 = uv1;
  vertexColor = color;
  // Where the camera sees it: what lies behind is cut off anyway.
  float r2 = min(dot(p.xy, p.xy) / max(p.z * p.z, 1e-12), lens.w);
  p.xy *= 1.0 + r2 * (lens.x + r2 * (lens.y + r2 * lens.z));
  gl_Position = clipFromCamera * vec4(p.xyz * nearer, 1.0);
}`;

export const FRAGMENT = `#version 300 es
precision highp float;
in vec3 pointInCamera;
in vec3 normalInCamera;
in vec4 tangentInCamera;
in vec2 coordinates0;
in vec2 coordinates1;
in vec4 vertexColor;
uniform vec4 baseColor;
uniform vec2 metallicRoughness;
uniform vec3 emissive;
uniform float normalScale;
uniform float occlusionStrength;
uniform float alphaCutoff;
uniform int alphaMode;
uniform bool isUnlit;
uniform bool isMirrored;
uniform bool hasTangent;
/** Whether each texture is there, and which coordinates it uses: base colour, metal and roughness, normal, occlusion, emissive. */
uniform bool has[5];
uniform int sets[5];
uniform mat3 maps[5];
uniform sampler2D baseColorTexture;
uniform sampler2D metallicRoughnessTexture;
uniform sampler2D normalTexture;
uniform sampler2D occlusionTexture;
uniform sampler2D emissiveTexture;
uniform vec3 towardsSun;
uniform vec3 up;
/** Colours of sun and sky; 1 is a clear day. */
uniform vec3 sunlight;
uniform vec3 skylight;
uniform float opacity;
out vec4 result;

const float PI = 3.14159265;

vec2 at(int index) {
  vec2 uv = sets[index] == 1 ? coordinates1 : coordinates0;
  return (maps[index] * vec3(uv, 1.0)).xy;
}
vec3 toLinear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 toDisplay(vec3 c) { return mix(c * 12.92, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }

/** The normal with the texture's relief, from the file's tangents or from how the coordinates run on the screen. */
vec3 surfaceNormal(bool isBack) {
  vec3 n = normalize(normalInCamera);
  if (isBack) n = -n;
  if (!has[2]) return n;
  vec3 relief = texture(normalTexture, at(2)).xyz * 2.0 - 1.0;
  relief.xy *= normalScale;
  vec3 t, b;
  if (hasTangent) {
    t = normalize(tangentInCamera.xyz - n * dot(n, tangentInCamera.xyz));
    b = cross(n, t) * tangentInCamera.w * (isMirrored ? -1.0 : 1.0);
  } else {
    vec3 px = dFdx(pointInCamera), py = dFdy(pointInCamera);
    vec2 ux = dFdx(at(2)), uy = dFdy(at(2));
    vec3 qx = cross(py, n), qy = cross(n, px);
    t = qx * ux.x + qy * uy.x;
    b = -(qx * ux.y + qy * uy.y);
    float scale = inversesqrt(max(max(dot(t, t), dot(b, b)), 1e-20));
    t *= scale;
    b *= scale;
  }
  return normalize(t * relief.x + b * relief.y + n * relief.z);
}

/** Light that a surface of one roughness returns: GGX with Smith's masking, and Lambert. */
vec3 shade(vec3 n, vec3 v, vec3 l, vec3 diffuse, vec3 f0, float roughness) {
  vec3 h = normalize(v + l);
  float nl = max(dot(n, l), 0.0), nv = max(dot(n, v), 1e-3), nh = max(dot(n, h), 0.0), vh = max(dot(v, h), 0.0);
  float a2 = pow(roughness, 4.0);
  float d = nh * nh * (a2 - 1.0) + 1.0;
  float distribution = a2 / (PI * d * d);
  float masking = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2) + 1e-5);
  vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - vh, 5.0);
  return ((1.0 - fresnel) * diffuse / PI + distribution * masking * fresnel) * nl;
}

/** How bright the surroundings are in a direction, blurred by roughness. */
float surroundings(vec3 direction, float roughness) {
  float height = dot(direction, up);
  return mix(0.45, 1.05, smoothstep(-1.0 * (0.3 + roughness), 0.3 + roughness, height));
}

void main() {
  vec4 color = baseColor * vertexColor;
  if (has[0]) {
    vec4 texel = texture(baseColorTexture, at(0));
    color *= vec4(toLinear(texel.rgb), texel.a);
  }
  if (alphaMode == 1 && color.a < alphaCutoff) discard;
  float alpha = (alphaMode == 2 ? color.a : 1.0) * opacity;
  vec3 light;
  if (isUnlit) {
    light = color.rgb;
  } else {
    vec2 surface = metallicRoughness;
    if (has[1]) surface *= texture(metallicRoughnessTexture, at(1)).bg;
    float metallic = surface.x, roughness = clamp(surface.y, 0.045, 1.0);
    vec3 n = surfaceNormal(!gl_FrontFacing);
    vec3 v = normalize(-pointInCamera);
    vec3 f0 = mix(vec3(0.04), color.rgb, metallic);
    vec3 diffuse = color.rgb * (1.0 - metallic);
    float open = has[3] ? mix(1.0, texture(occlusionTexture, at(3)).r, occlusionStrength) : 1.0;
    float nv = max(dot(n, v), 0.0);
    vec3 mirror = f0 + (max(vec3(1.0 - roughness), f0) - f0) * pow(1.0 - nv, 5.0);
    vec3 around = diffuse * surroundings(n, 1.0) * 0.48 + mirror * surroundings(reflect(-v, n), roughness) * 0.7;
    light = shade(n, v, towardsSun, diffuse, f0, roughness) * 1.9 * sunlight + around * open * skylight;
  }
  vec3 own = emissive;
  if (has[4]) own *= toLinear(texture(emissiveTexture, at(4)).rgb);
  // The page puts the canvas over the picture with premultiplied alpha.
  result = vec4(toDisplay(min(light + own, 1.0)) * alpha, alpha);
}`;
